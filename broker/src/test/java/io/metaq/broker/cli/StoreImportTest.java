package io.metaq.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.broker.MetaqImport;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.wire.RecordFormat;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A folder as MetaQ 1.4 writes it, imported, and served by a broker. */
@Timeout(120)
class StoreImportTest {
  private static final long NEGATIVE_ID = 0xb41a763492800000L;
  private static final String REDO = "transactions/redo.1";

  @TempDir private Path folder;
  private Path metaq;
  private Path data;

  private record Run(int code, String output) {}

  @BeforeEach
  void emptyFolders() throws IOException {
    metaq = Files.createDirectory(folder.resolve("metaq"));
    data = folder.resolve("data");
    Files.createDirectory(metaq.resolve("transactions"));
  }

  private Run store(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    CommandLine command = Main.commandLine().setOut(out).setErr(out);
    List<String> all =
        Stream.concat(Stream.of("store", "--data", data.toString()), Stream.of(arguments)).toList();
    int code = command.execute(all.toArray(String[]::new));
    return new Run(code, text.toString());
  }

  private Run importAll(String... options) {
    return store(
        Stream.concat(Stream.of("import", metaq.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  private static byte[] record(String attribute, String payload) {
    byte[] text = payload.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body =
        ByteBuffer.allocate(text.length + (attribute == null ? 0 : 4 + attribute.length()));
    if (attribute != null) {
      body.putInt(attribute.length()).put(attribute.getBytes(StandardCharsets.US_ASCII));
    }
    body.put(text).flip();
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.HEADER_SIZE + body.remaining());
    record.putInt(body.remaining()).putInt(RecordFormat.bodyChecksum(body)).putLong(NEGATIVE_ID);
    return record.putInt(attribute == null ? 0 : 1).put(body).array();
  }

  /** Appends to the segment that begins at an offset; returns the offset behind. */
  private long write(String partition, long segment, byte[]... records) throws IOException {
    Path file = segment(metaq, partition, segment);
    Files.createDirectories(file.getParent());
    for (byte[] record : records) {
      Files.write(file, record, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return segment + Files.size(file);
  }

  private static Path segment(Path root, String partition, long offset) {
    return root.resolve(partition).resolve(String.format("%020d.meta", offset));
  }

  private interface Work {
    void with(JMSContext context) throws JMSException;
  }

  private void served(Work work) throws IOException, JMSException {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().port(0).dataDirectory(data).start();
        JMSContext context = new MetaqConnectionFactory(broker.url()).createContext()) {
      work.with(context);
    }
  }

  private static List<String> drain(JMSConsumer consumer) throws JMSException {
    List<String> found = new ArrayList<>();
    BytesMessage message;
    while ((message = (BytesMessage) consumer.receive(found.isEmpty() ? 10_000 : 500)) != null) {
      found.add(message.getStringProperty("JMS_MetaQ_Attribute") + "/" + text(message));
    }
    return found;
  }

  /** An empty body is no body to {@code getBody}. */
  private static String text(BytesMessage message) throws JMSException {
    byte[] bytes = new byte[(int) message.getBodyLength()];
    message.readBytes(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void messagesComeInOrderWithAttributeAndBytesAtTheOffsetsTheyHad() throws Exception {
    long second = write("orders-0", 4711, record("a1", "one"), record("", "two"));
    write("orders-0", second, record(null, "three"), record(null, ""));

    Run run = importAll();
    assertThat(run.output()).contains("orders: 1 partition(s), 4 message(s)");
    assertThat(run.code()).isZero();
    for (long segment : new long[] {4711, second}) {
      byte[] theirs = Files.readAllBytes(segment(metaq, "orders-0", segment));
      byte[] ours = Files.readAllBytes(segment(data.resolve("partitions"), "orders-0", segment));
      assertThat(ours).hasSameSizeAs(theirs);
    }
    assertThat(store("verify").output()).contains("4 record(s) checked").contains("No problems");
    served(
        context ->
            assertThat(drain(context.createConsumer(context.createQueue("orders"))))
                .containsExactly("a1/one", "/two", "null/three", "null/"));
    served(
        context ->
            assertThat(context.createConsumer(context.createQueue("orders")).receive(300))
                .isNull());
  }

  @Test
  void aTopicsSubscriptionsGetEverythingAndSelectByAttribute() throws Exception {
    write("news-0", 0, record("red", "one"), record("blue", "two"));
    assertThat(importAll("--subscription", "news=a", "--subscription", "news=b").code()).isZero();
    served(
        context -> {
          assertThat(drain(context.createSharedDurableConsumer(context.createTopic("news"), "a")))
              .containsExactly("red/one", "blue/two");
          assertThat(drain(context.createSharedDurableConsumer(context.createTopic("news"), "b")))
              .hasSize(2);
        });
  }

  @Test
  void selectorsAndBrowsersSeeTheAttribute() throws Exception {
    write("orders-0", 0, record("red", "one"), record("blue", "two"), record(null, "three"));
    assertThat(importAll().code()).isZero();
    served(
        context -> {
          var browsed = context.createBrowser(context.createQueue("orders")).getEnumeration();
          assertThat(
                  ((BytesMessage) browsed.nextElement()).getStringProperty("JMS_MetaQ_Attribute"))
              .isEqualTo("red");
          assertThat(
                  drain(
                      context.createConsumer(
                          context.createQueue("orders"), "JMS_MetaQ_Attribute = 'blue'")))
              .containsExactly("blue/two");
        });
  }

  /** M3. */
  @Test
  void elevenPartitionsBesideATransactionsFolderAreAllServed() throws Exception {
    for (int i = 0; i < 11; i++) {
      write("orders-" + i, 0, record(null, "of " + i));
    }
    assertThat(importAll().output()).contains("11 partition(s), 11 message(s)");
    served(
        context ->
            assertThat(drain(context.createConsumer(context.createQueue("orders")))).hasSize(11));
  }

  @Test
  void aWriteThatDidNotEndIsLeftOutAndTold() throws Exception {
    byte[] cut = java.util.Arrays.copyOf(record("a", "lost"), 22);
    write("orders-0", 0, record(null, "kept"), cut);
    Run run = importAll();
    assertThat(run.output()).contains("left out").contains("22 bytes").contains("1 message(s)");
  }

  /** The length is beyond the end, as after a cut, but what follows was written. */
  @Test
  void aBrokenLengthWithRecordsBehindItIsDamageAndNoWriteThatDidNotEnd() throws Exception {
    byte[] damaged = record(null, "two");
    damaged[1] ^= 1;
    write("orders-0", 0, record(null, "one"), damaged, record(null, "three"));
    assertRefused("the record at byte 23");
  }

  @Test
  void whatHoldsNoSegmentsIsLeftOutAndTold() throws Exception {
    write("orders-0", 0, record(null, "one"));
    Files.createDirectory(metaq.resolve("lost+found"));
    assertThat(importAll().output()).contains("left out, since it holds no segments: ");
  }

  @Test
  void noBrokerStartsOnAnImportWhoseProcessDied() throws Exception {
    write("accounts-0", 0, record(null, "one"));
    write("orders-0", 0, record(null, "two"));
    Process dying =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DyingImport.class.getName(),
                metaq.toString(),
                data.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(dying.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(dying.waitFor()).as(said).isEqualTo(DyingImport.DIED);

    assertThatThrownBy(() -> served(context -> {}))
        .hasMessageContaining("broke off")
        .hasMessageContaining(data.resolve("metaq.import").toString());
    assertThat(data.resolve("metaq.import")).content().contains("[accounts, orders]");
    assertRefusedWith(importAll(), "broke off");
    assertRefusedWith(store("verify"), "broke off");
  }

  /** Dies between two topics. */
  static final class DyingImport {
    static final int DIED = 42;

    public static void main(String[] args) throws Exception {
      Path data = Path.of(args[1]);
      BrokerConfig config = ServerIni.parse("", data).withDataPath(data);
      Path source = Path.of(args[0]);
      new MetaqImport(config, line -> Runtime.getRuntime().halt(DIED))
          .run(source, source, Map.of());
    }
  }

  @Test
  void damageIsRefusedBeforeAnythingIsWritten() throws Exception {
    byte[] damaged = record(null, "two");
    damaged[21] ^= 1;
    write("orders-0", 0, record(null, "one"), damaged, record(null, "three"));
    assertRefused("the record at byte 23");
  }

  @Test
  void whatIsNoMetaqFolderIsRefused() throws Exception {
    assertRefused("holds no folder");
    write("orders-0", 0, record(null, "one"));
    Files.createDirectory(metaq.resolve("odd"));
    Files.createFile(metaq.resolve("odd/00000000000000000000.meta"));
    assertRefused("its name is not <topic>-<partition>");
  }

  @Test
  void aGapBetweenSegmentsAndUnknownFlagsAreRefused() throws Exception {
    long end = write("orders-0", 0, record(null, "one"));
    write("orders-0", end + 1, record(null, "two"));
    assertRefused("but the next segment begins at");
    byte[] odd = record(null, "x");
    odd[19] = 8;
    Files.delete(segment(metaq, "orders-0", end + 1));
    write("orders-0", end, odd);
    assertRefused("none of MetaQ 1.4");
  }

  @Test
  void aTakenNameIsRefusedAndTheTargetStaysAsItWas() throws Exception {
    write("orders-0", 0, record(null, "one"));
    assertThat(importAll().code()).isZero();
    assertRefusedWith(importAll(), "queue orders already");
    served(
        context ->
            assertThat(drain(context.createConsumer(context.createQueue("orders")))).hasSize(1));
  }

  @Test
  void aTakenNameAmongSeveralIsRefusedBeforeAnyDestinationIsCreated() throws Exception {
    served(context -> context.createProducer().send(context.createQueue("orders"), "ours"));
    write("accounts-0", 0, record(null, "one"));
    write("orders-0", 0, record(null, "two"));
    write("zebras-0", 0, record(null, "three"));
    assertRefusedWith(importAll(), "queue orders already");
    Files.delete(segment(metaq, "orders-0", 0));
    Files.delete(metaq.resolve("orders-0"));

    assertRefusedWith(
        importAll("--subscription", "accounts=s", "--subscription", "zebras=s"),
        "subscription s cannot be of two topics");
    assertThat(importAll().output()).contains("accounts: 1 partition(s), 1 message(s)");
  }

  @Test
  void aPreparedBranchAndACommitWithoutItsMessagesAreRefused() throws Exception {
    write("orders-0", 0, record(null, "one"));
    byte[] prepare = operation(1, "XID:1:61:62:q", new byte[0]);
    Files.write(metaq.resolve(REDO), prepare);
    assertRefused("1 prepared transaction(s)");
    Files.write(
        metaq.resolve(REDO), operation(3, "XID:1:61:62:q", new byte[0]), StandardOpenOption.APPEND);
    Files.write(
        metaq.resolve(REDO),
        operation(4, "TX:s:1", place(0, 1000, "orders-0")),
        StandardOpenOption.APPEND);
    assertRefused("TX:s:1 are not in partition orders-0");
    Files.write(metaq.resolve(REDO), operation(4, "TX:s:1", place(0, 23, "orders-0")));
    assertThat(importAll().code()).isZero();
  }

  @Test
  void aRedoFileThatCannotBeReadIsRefused() throws Exception {
    write("orders-0", 0, record(null, "one"));
    Files.write(metaq.resolve(REDO), HexFormat.of().parseHex("0000005c0801"));
    assertRefused("cannot be read at byte");
  }

  /** As dumped from a live broker: length, command 2 with an operation, force; then the places. */
  private static byte[] operation(int type, String transaction, byte[] places) {
    byte[] id = transaction.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer inner = ByteBuffer.allocate(100);
    inner.put((byte) 8).put((byte) type).put((byte) 16).put((byte) 0);
    inner.put((byte) 26).put((byte) id.length).put(id).put((byte) 32).put((byte) places.length);
    inner.flip();
    int length = 4 + inner.remaining() + 2;
    ByteBuffer all = ByteBuffer.allocate(4 + length + places.length);
    all.putInt(length).put((byte) 8).put((byte) 2).put((byte) 18).put((byte) inner.remaining());
    return all.put(inner).put((byte) 24).put((byte) 1).put(places).array();
  }

  private static byte[] place(long offset, int length, String partition) {
    byte[] name = partition.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer place = ByteBuffer.allocate(20 + name.length);
    return place.putLong(offset).putInt(length).putInt(0).putInt(name.length).put(name).array();
  }

  private void assertRefused(String reason) {
    assertRefusedWith(importAll(), reason);
    assertThat(data).doesNotExist();
  }

  private static void assertRefusedWith(Run run, String reason) {
    assertThat(run.output()).contains(reason).doesNotContain("Exception");
    assertThat(run.code()).isEqualTo(1);
  }
}
