package io.metaq.tck.peers.artemis;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * An Artemis broker with its own defaults, among them a force before each answer to a persistent
 * send. The journal is written through NIO, since its native library is not there everywhere.
 */
public final class ArtemisMain {

  private ArtemisMain() {}

  /**
   * Serves until the process is ended.
   *
   * @param args data directory and port
   */
  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]);
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration
        .setPersistenceEnabled(true)
        .setSecurityEnabled(false)
        .setJournalType(JournalType.NIO)
        .setJournalDirectory(data.resolve("journal").toString())
        .setBindingsDirectory(data.resolve("bindings").toString())
        .setPagingDirectory(data.resolve("paging").toString())
        .setLargeMessagesDirectory(data.resolve("large").toString())
        .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + args[1]);
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration);
    broker.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "shutdown"));
    new CountDownLatch(1).await();
  }

  private static void stop(EmbeddedActiveMQ broker) {
    try {
      broker.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Artemis did not stop in order", e);
    }
  }
}
