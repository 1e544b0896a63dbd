package io.metaq.broker.cli;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.broker.cluster.BrokerRegistration;
import io.metaq.broker.cluster.LocalZooKeeper;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ServerIni;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code metaq server}: runs a broker in the foreground until the process is told to end, or until
 * the broker can no longer keep its promises. {@code bin/metaServer.sh} puts it into the
 * background.
 */
@Command(
    name = "server",
    description = "Run a broker until it is told to end.",
    mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

  private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

  @Spec private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "configuration (default: conf/server.ini)")
  private Path config;

  @Option(names = "--local", description = "run a ZooKeeper inside this process")
  private boolean local;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "written once the broker serves: pid, address, port, mode; removed at the end")
  private Path state;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "overrule a key of [system] or [zookeeper]; may be repeated")
  private Map<String, String> overruled = new LinkedHashMap<>();

  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<Throwable> fatal = new AtomicReference<>();
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  @Override
  public Integer call() throws Exception {
    Path file = config != null ? config : Home.folder().resolve("conf").resolve("server.ini");
    BrokerConfig settings = ServerIni.load(file, overruled);
    settings.notes().forEach(note -> LOG.warn("{}:{}: {}", file, note.line(), note.text()));
    Runtime.getRuntime().addShutdownHook(new Thread(this::endInOrder, "shutdown"));
    // Netty's samples of buffers cost two hundredths of the event loop; who hunts a leak names a
    // level.
    if (System.getProperty(LEAK_DETECTION) == null) {
      System.setProperty(LEAK_DETECTION, "disabled");
    }
    try {
      serve(settings);
      told.await();
    } finally {
      close();
      ended.countDown();
    }
    if (fatal.get() != null) {
      throw new IllegalStateException("the broker had to end: " + fatal.get(), fatal.get());
    }
    return 0;
  }

  private void serve(BrokerConfig settings) throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.builder().config(settings).onFatal(this::failed).start();
    running.push(broker);
    String ensemble = local ? startZooKeeper(settings) : settings.zookeeper().connect();
    if (settings.zookeeper().enabled()) {
      running.push(BrokerRegistration.register(settings, ensemble, broker.port()));
    }
    if (state != null) {
      running.push(StateFile.write(state, settings.bindAddress(), broker.port(), local));
    }
    spec.commandLine().getOut().println("metaq server: serving on " + broker.url());
  }

  /** After the broker, whose lock keeps a second process off the data folder. */
  private String startZooKeeper(BrokerConfig settings) throws Exception {
    LocalZooKeeper zookeeper =
        LocalZooKeeper.start(
            settings.zookeeper().localDirectory(), settings.zookeeper().localPort());
    running.push(zookeeper);
    return zookeeper.connectString();
  }

  private void failed(Throwable cause) {
    fatal.compareAndSet(null, cause);
    told.countDown();
  }

  private void close() throws Exception {
    Exception failure = null;
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void endInOrder() {
    told.countDown();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
