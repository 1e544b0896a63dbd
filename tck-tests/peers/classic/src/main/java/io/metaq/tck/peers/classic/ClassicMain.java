package io.metaq.tck.peers.classic;

import java.io.File;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;

/**
 * A Classic broker with its own defaults, among them KahaDB forced before each answer to a
 * persistent send. Frames may be larger than by default, or it could not take a body of 100 MiB.
 */
public final class ClassicMain {

  private ClassicMain() {}

  /**
   * Serves until the process is ended.
   *
   * @param args data directory and port
   */
  public static void main(String[] args) throws Exception {
    KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
    store.setDirectory(new File(args[0], "kahadb"));
    BrokerService broker = new BrokerService();
    broker.setBrokerName("peer");
    broker.setDataDirectory(args[0]);
    broker.setPersistenceAdapter(store);
    broker.setUseJmx(false);
    broker.setDedicatedTaskRunner(false);
    broker.setUseShutdownHook(true);
    broker.addConnector(
        "tcp://127.0.0.1:" + args[1] + "?wireFormat.maxFrameSize=" + 256 * 1024 * 1024);
    broker.start();
    broker.waitUntilStarted();
    new CountDownLatch(1).await();
  }
}
