package io.metaq.tck.original.server;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.MetaMessageSessionFactory;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.cluster.Partition;
import com.taobao.metamorphosis.consumer.MessageIterator;
import com.taobao.metamorphosis.server.assembly.MetaMorphosisBroker;
import com.taobao.metamorphosis.server.utils.MetaConfig;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * Starts the original server on a data folder, with a ZooKeeper, and has its own client work on it.
 * What it is to write stands in a file, as does what it found; one message a line, with blanks
 * between: partition, offset ({@code -} when it is to be written), attribute, body, and the whole
 * record as it was read. The last three are in Base64; {@code -} stands for no attribute.
 *
 * <p>Arguments: {@code write} or {@code read}, the server's configuration, a topic, the number of
 * partitions, the file of messages.
 */
public final class OriginalMain {
  private static final int FETCH_BYTES = 1 << 20;
  private static final int ZOOKEEPER_PORT = 2181;

  private final MetaMessageSessionFactory factory;
  private final String topic;

  private OriginalMain(MetaMessageSessionFactory factory, String topic) {
    this.factory = factory;
    this.topic = topic;
  }

  /** Runs, and ends the process: the original leaves threads behind. */
  public static void main(String[] args) throws Exception {
    MetaConfig config = new MetaConfig();
    config.loadFromFile(args[1]);
    config.verify();
    startZooKeeper(Path.of(args[1]).resolveSibling("zookeeper").toFile());
    MetaMorphosisBroker broker = new MetaMorphosisBroker(config);
    broker.start();
    MetaClientConfig client = new MetaClientConfig();
    client.setZkConfig(config.getZkConfig());
    OriginalMain original = new OriginalMain(new MetaMessageSessionFactory(client), args[2]);
    Path messages = Path.of(args[4]);
    if (args[0].equals("write")) {
      original.write(Files.readAllLines(messages));
    } else {
      original.read(Integer.parseInt(args[3]), messages);
    }
    broker.stop();
    System.out.println("done");
    Runtime.getRuntime().halt(0);
  }

  private static void startZooKeeper(File folder) throws IOException, InterruptedException {
    NIOServerCnxnFactory sockets = new NIOServerCnxnFactory();
    sockets.configure(new InetSocketAddress("127.0.0.1", ZOOKEEPER_PORT), 10);
    sockets.startup(new ZooKeeperServer(folder, folder, 2000));
  }

  private void write(List<String> lines) throws Exception {
    ThreadLocal<Integer> wanted = new ThreadLocal<>();
    MessageProducer producer =
        factory.createProducer((name, partitions, message) -> new Partition(0, wanted.get()));
    producer.publish(topic);
    for (String line : lines) {
      String[] fields = line.split(" ", -1);
      wanted.set(Integer.parseInt(fields[0]));
      Message message = new Message(topic, Base64.getDecoder().decode(fields[3]));
      if (!fields[2].equals("-")) {
        message.setAttribute(text(fields[2]));
      }
      SendResult sent = producer.sendMessage(message);
      if (!sent.isSuccess()) {
        throw new IOException("the original refused " + line + ": " + sent.getErrorMessage());
      }
    }
  }

  private void read(int partitions, Path target) throws Exception {
    MessageConsumer consumer = factory.createConsumer(new ConsumerConfig("proof"));
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(target))) {
      for (int partition = 0; partition < partitions; partition++) {
        read(consumer, partition, out);
      }
    }
  }

  private void read(MessageConsumer consumer, int partition, PrintWriter out) throws Exception {
    Partition from = new Partition(0, partition);
    long offset = 0;
    MessageIterator found;
    while ((found = consumer.get(topic, from, offset, FETCH_BYTES)) != null) {
      while (found.hasNext()) {
        int start = found.getOffset();
        Message message = found.next();
        out.println(
            String.join(
                " ",
                Integer.toString(partition),
                Long.toString(offset + start),
                message.hasAttribute() ? base64(message.getAttribute()) : "-",
                Base64.getEncoder().encodeToString(message.getData()),
                base64(found.getCurrentMsgBuf(), found.getOffset() - start)));
      }
      offset += found.getOffset();
    }
  }

  private static String text(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(ByteBuffer record, int length) {
    byte[] bytes = new byte[length];
    record.duplicate().get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
