package io.metaq.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RecordFormatTest {

  @Test
  void theChecksumIsMetaQs() {
    ByteBuffer hello = ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8));

    assertThat(RecordFormat.bodyChecksum(hello)).isEqualTo(907060870);
  }

  @Test
  void aRecordThatMetaQWroteIsRead() {
    ByteBuffer record =
        ByteBuffer.wrap(
            HexFormat.of()
                .parseHex(
                    "0000000d4b62e51cb41a763492800000000000010000000461747472" + "68656c6c6f"));

    assertThat(RecordFormat.isIntact(record)).isTrue();
    assertThat(RecordFormat.isJms(record)).isFalse();
    assertThat(RecordFormat.messageId(record)).isEqualTo(0xb41a763492800000L);
    assertThat(RecordFormat.bodyLength(record)).isEqualTo(13);
  }

  @Test
  void aJmsRecordIsIntactUntilAnyOfItsBytesChanges() {
    ByteBuffer record = RecordFormat.jmsRecord(Samples.content(), 99, false);

    assertThat(RecordFormat.isIntact(record)).isTrue();
    for (int i = RecordFormat.HEADER_SIZE - 12; i < record.limit(); i++) {
      record.put(i, (byte) (record.get(i) ^ 1));
      assertThat(intactOrMalformed(record)).as("byte %d", i).isFalse();
      record.put(i, (byte) (record.get(i) ^ 1));
    }
  }

  private static boolean intactOrMalformed(ByteBuffer record) {
    try {
      return RecordFormat.isIntact(record);
    } catch (IndexOutOfBoundsException e) {
      return false;
    }
  }

  @Test
  void stampingAndSealingKeepsEverythingElse() {
    ByteBuffer record = RecordFormat.jmsRecord(Samples.content(), 99, false);

    Content.of(RecordFormat.body(record)).stamp(123, 456);
    RecordFormat.seal(record);

    assertThat(RecordFormat.isIntact(record)).isTrue();
    Content content = Content.of(RecordFormat.body(record));
    assertThat(content.brokerExpiration()).isEqualTo(123);
    assertThat(content.acceptedAt()).isEqualTo(456);
    assertThat(content.block().properties()).isEqualTo(Samples.block().properties());
  }

  @Test
  void fixedFieldsAreReadWithoutDecodingTheBlock() {
    Content content = Content.of(Samples.content());

    assertThat(content.priority()).isEqualTo(7);
    assertThat(content.persistent()).isTrue();
    assertThat(content.bodyType()).isEqualTo(MessageBlock.BODY_TEXT);
    assertThat(content.timestamp()).isEqualTo(1);
    assertThat(content.expiration()).isEqualTo(2);
    assertThat(content.deliveryTime()).isEqualTo(3);
    assertThat(content.publisher()).isEqualTo(Samples.block().publisher());
    assertThat(content.groupId()).isEqualTo("group");
    assertThat(content.correlationId()).isEqualTo("correlation");
    assertThat(content.block()).isEqualTo(Samples.block());
    assertThat(StandardCharsets.UTF_8.decode(content.payload()).toString()).isEqualTo("hello");
  }

  @Test
  void aContentWhoseLengthsLieIsRefused() {
    ByteBuffer content = Samples.content();
    content.putInt(content.position(), content.remaining());

    assertThatThrownBy(() -> Content.of(content)).isInstanceOf(WireException.class);
  }

  @Test
  void aReferenceToALargeBodyComesBack() {
    RecordFormat.LargeBody large = new RecordFormat.LargeBody(1, 2, 3);
    WireWriter out = new WireWriter();
    large.encode(out);

    assertThat(RecordFormat.LargeBody.decode(out.written())).isEqualTo(large);
    assertThat(out.position()).isEqualTo(RecordFormat.LargeBody.SIZE);
  }
}
