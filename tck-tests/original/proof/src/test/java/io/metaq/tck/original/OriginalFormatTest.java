package io.metaq.tck.original;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.broker.cli.Main;
import io.metaq.broker.config.ServerIni;
import io.metaq.broker.store.FileDisk;
import io.metaq.broker.store.LogName;
import io.metaq.broker.store.LogState;
import io.metaq.broker.store.PartitionLog;
import io.metaq.broker.store.PartitionLogs;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.wire.RecordFormat;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MetaQ 1.4.6.2 itself reads what we write, and we what it writes. */
@Tag("original")
@Timeout(300)
class OriginalFormatTest {
  private static final int MESSAGES = 400;
  private static final int SEGMENT_BYTES = 4096;

  @TempDir private Path folder;
  private Path theirs;
  private Path ours;
  private OriginalProcess original;

  @BeforeEach
  void folders() throws Exception {
    OriginalProcess.needsANetworkOfItsOwn();
    theirs = Files.createDirectory(folder.resolve("theirs"));
    ours = folder.resolve("ours");
    original = new OriginalProcess(Files.createDirectory(folder.resolve("original")), theirs);
  }

  @Test
  void theOriginalReadsEveryRecordOfOursAtItsOffsetAndByteForByte() throws Exception {
    writeRecords(0);
    writeRecords(1);
    sendThroughJms();
    copy(ours.resolve("plain/partitions/orders-0"), theirs.resolve("orders-0"));
    copy(ours.resolve("plain/partitions/orders-1"), theirs.resolve("orders-1"));
    copy(ours.resolve("jms/partitions/orders-0"), theirs.resolve("orders-2"));

    Path found = folder.resolve("found");
    original.read(found);

    List<OriginalMessage> messages =
        Files.readAllLines(found).stream().map(OriginalMessage::parse).toList();
    assertThat(messages).hasSize(3 * MESSAGES);
    for (int partition = 0; partition < OriginalProcess.PARTITIONS; partition++) {
      int number = partition;
      List<OriginalMessage> here =
          messages.stream().filter(message -> message.partition() == number).toList();
      assertRecordsAreThoseOfTheFiles(theirs.resolve("orders-" + partition), here);
      for (int i = 0; i < MESSAGES; i++) {
        assertThat(here.get(i).text()).isEqualTo(body(i));
        if (partition < 2) {
          assertThat(here.get(i).attribute()).isEqualTo(attribute(i));
        }
      }
    }
  }

  @Test
  void weServeWhatTheOriginalWroteAndItReadsItAgain() throws Exception {
    List<OriginalMessage> sent =
        IntStream.range(0, MESSAGES)
            .mapToObj(i -> OriginalMessage.toSend(i % 3, attribute(i), i % 3 + ":" + body(i)))
            .toList();
    Path messages = folder.resolve("messages");
    Files.write(messages, sent.stream().map(OriginalMessage::line).toList());
    original.write(messages);
    Path before = folder.resolve("before");
    original.read(before);

    importAll();
    copy(ours.resolve("partitions"), folder.resolve("again"));
    assertServed(sent);

    Path after = folder.resolve("after");
    new OriginalProcess(
            Files.createDirectory(folder.resolve("second")), folder.resolve("again"))
        .read(after);
    assertThat(withoutRecord(after)).hasSize(MESSAGES).isEqualTo(withoutRecord(before));
  }

  private static String body(int i) {
    return "message " + i + " " + "ä".repeat(i % 97);
  }

  private static String attribute(int i) {
    return i % 3 == 0 ? null : i % 3 == 1 ? "" : "attribute " + i + " é";
  }

  private static List<List<Object>> withoutRecord(Path messages) throws IOException {
    return Files.readAllLines(messages).stream()
        .map(OriginalMessage::parse)
        .map(one -> List.<Object>of(one.partition(), one.offset(), "" + one.attribute(), one.body()))
        .toList();
  }

  /** As a line-protocol put will: without a JMS block. */
  private void writeRecords(int partition) throws IOException {
    try (PartitionLogs logs = new PartitionLogs(new FileDisk(ours.resolve("plain")), 10)) {
      PartitionLog log = logs.open(new LogName("orders", partition), LogState.empty(0, 0));
      long segment = -SEGMENT_BYTES;
      for (int i = 0; i < MESSAGES; i++) {
        long offset = log.endOffset();
        if (offset - segment >= SEGMENT_BYTES) {
          segment = offset;
          log.roll(i, offset);
        }
        log.append(i, offset, 0, List.of(record(i)));
      }
      log.force();
    }
  }

  private static ByteBuffer record(int i) {
    byte[] text = body(i).getBytes(StandardCharsets.UTF_8);
    byte[] attribute =
        attribute(i) == null ? null : attribute(i).getBytes(StandardCharsets.UTF_8);
    ByteBuffer body =
        ByteBuffer.allocate(text.length + (attribute == null ? 0 : 4 + attribute.length));
    if (attribute != null) {
      body.putInt(attribute.length).put(attribute);
    }
    body.put(text).flip();
    return ByteBuffer.allocate(RecordFormat.HEADER_SIZE + body.remaining())
        .putInt(body.remaining())
        .putInt(RecordFormat.bodyChecksum(body))
        .putLong(i + 1)
        .putInt(attribute == null ? 0 : RecordFormat.FLAG_ATTRIBUTE)
        .put(body)
        .flip();
  }

  private void sendThroughJms() throws Exception {
    String ini = "[system]\nserverPort=0\nmaxSegmentSize=" + SEGMENT_BYTES + "\n";
    try (EmbeddedBroker broker =
            EmbeddedBroker.builder()
                .config(ServerIni.parse(ini, folder))
                .dataDirectory(ours.resolve("jms"))
                .start();
        JMSContext context = new MetaqConnectionFactory(broker.url()).createContext()) {
      for (int i = 0; i < MESSAGES; i++) {
        context
            .createProducer()
            .setProperty("number", i)
            .send(context.createQueue("orders"), body(i));
      }
    }
  }

  private static void assertRecordsAreThoseOfTheFiles(Path partition, List<OriginalMessage> found)
      throws IOException {
    ByteBuffer all = ByteBuffer.allocate(1 << 20);
    int segments = 0;
    try (Stream<Path> files = Files.list(partition)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".meta")).sorted().toList()) {
        all.put(Files.readAllBytes(file));
        segments++;
      }
    }
    assertThat(segments).isGreaterThan(3);
    all.flip();
    long end = 0;
    for (OriginalMessage message : found) {
      assertThat(message.offset()).isEqualTo(end);
      assertThat(message.record())
          .isEqualTo(all.slice((int) end, message.record().remaining()));
      end += message.record().remaining();
    }
    assertThat(end).isEqualTo(all.remaining());
  }

  private void importAll() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    int code =
        Main.commandLine()
            .setOut(out)
            .setErr(out)
            .execute(
                "store",
                "--data",
                ours.toString(),
                "import",
                theirs.toString(),
                "--tx-log",
                folder.resolve("original/log").toString());
    assertThat(code).as(text.toString()).isZero();
  }

  private void assertServed(List<OriginalMessage> sent) throws Exception {
    List<List<String>> received = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    try (EmbeddedBroker broker = EmbeddedBroker.builder().port(0).dataDirectory(ours).start();
        JMSContext context = new MetaqConnectionFactory(broker.url()).createContext()) {
      JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
      for (int i = 0; i < MESSAGES; i++) {
        BytesMessage message = (BytesMessage) consumer.receive(10_000);
        String text = new String(message.getBody(byte[].class), StandardCharsets.UTF_8);
        received
            .get(text.charAt(0) - '0')
            .add(message.getStringProperty("JMS_MetaQ_Attribute") + "/" + text);
      }
      assertThat(consumer.receiveNoWait()).isNull();
    }
    for (int partition = 0; partition < OriginalProcess.PARTITIONS; partition++) {
      int number = partition;
      assertThat(received.get(partition))
          .isEqualTo(
              sent.stream()
                  .filter(message -> message.partition() == number)
                  .map(message -> message.attribute() + "/" + message.text())
                  .toList());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
