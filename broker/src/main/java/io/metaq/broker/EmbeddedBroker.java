package io.metaq.broker;

import io.metaq.broker.admin.TransactionManagement;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.ServerIni;
import io.metaq.broker.core.TransactionFigures;
import io.metaq.broker.engine.Engine;
import io.metaq.broker.engine.EngineClock;
import io.metaq.broker.engine.EngineFactory;
import io.metaq.broker.engine.EngineSettings;
import io.metaq.broker.engine.EngineThreads;
import io.metaq.broker.engine.Login;
import io.metaq.broker.security.Authenticator;
import io.metaq.broker.server.Server;
import io.metaq.broker.server.ServerSettings;
import io.metaq.broker.store.Disk;
import io.metaq.broker.store.FileDisk;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole broker in this process, for applications that bring their own and for tests. It serves
 * from {@link Builder#start()} until {@link #close()}. Safe for use by several threads.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
  private static final int PATIENCE_SECONDS = 60;

  private final BrokerThreads threads;
  private final Server server;
  private final Engine engine;
  private final String host;
  private final int port;
  private final Path directory;
  private final boolean temporary;
  private final TransactionManagement management;
  private boolean ended;

  private EmbeddedBroker(
      BrokerThreads threads,
      Server server,
      Engine engine,
      BrokerConfig config,
      int port,
      boolean temporary) {
    this.threads = threads;
    this.server = server;
    this.engine = engine;
    this.host = config.bindAddress();
    this.port = port;
    this.directory = config.dataPath();
    this.temporary = temporary;
    this.management = TransactionManagement.register(engine, port);
  }

  /**
   * A broker with the settings of the shipped configuration, on a free port and a temporary
   * directory.
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects what a broker is told before it starts. */
  public static final class Builder {
    private BrokerConfig config;
    private Path directory;
    private Integer port;
    private Boolean autoCreate;
    private Path users;
    private Disk disk;
    private UnaryOperator<EngineSettings> tuning = UnaryOperator.identity();
    private Consumer<Throwable> onFatal =
        cause -> LOG.error("the broker serves no longer; restart it on the same directory");

    private EngineClock clock = EngineClock.system();

    private Builder() {}

    /** The port listened on; 0 for any free one, which is the default without a configuration. */
    public Builder port(int number) {
      port = number;
      return this;
    }

    /** Where the data stands; by default a temporary directory that {@link #close()} deletes. */
    public Builder dataDirectory(Path path) {
      directory = path;
      return this;
    }

    /** Settings as from a configuration file. */
    public Builder config(BrokerConfig settings) {
      config = settings;
      return this;
    }

    /** Whether a destination comes into being on first use. */
    public Builder autoCreate(boolean create) {
      autoCreate = create;
      return this;
    }

    /** The file of names and password hashes. */
    public Builder users(Path file) {
      users = file;
      return this;
    }

    /** Adjusts what the configuration file has no keys for. */
    public Builder tuning(UnaryOperator<EngineSettings> adjust) {
      tuning = adjust;
      return this;
    }

    /** For tests: a clock that goes wrong. */
    Builder clock(EngineClock other) {
      clock = other;
      return this;
    }

    /** For tests: a disk that stalls or fails at will, instead of the data directory. */
    Builder disk(Disk replacement) {
      disk = replacement;
      return this;
    }

    /** Told when the journal failed; by then nothing is answered any more. */
    public Builder onFatal(Consumer<Throwable> handler) {
      onFatal = handler;
      return this;
    }

    /**
     * Recovers the data directory and opens the port.
     *
     * @throws IOException with a message for the operator when the broker cannot serve
     */
    public EmbeddedBroker start() throws IOException {
      boolean temporary = config == null && directory == null;
      Path data = temporary ? Files.createTempDirectory("metaq-") : directory;
      BrokerConfig effective = config != null ? config : unconfigured();
      if (data != null) {
        effective = effective.withDataPath(data);
      }
      if (port != null) {
        effective = effective.withServerPort(port);
      }
      if (autoCreate != null) {
        effective = effective.withAutoCreate(autoCreate);
      }
      Path usersFile = users != null ? users : effective.usersFile();
      Disk used = disk != null ? disk : new FileDisk(effective.dataPath());
      return EmbeddedBroker.start(
          effective, used, new Authenticator(usersFile), tuning, clock, onFatal, temporary);
    }

    private static BrokerConfig unconfigured() throws IOException {
      try {
        Path nowhere = Path.of("").toAbsolutePath();
        // Smaller journal files than a server's: they are filled at every start of a test.
        return ServerIni.parse(
            "[system]\nserverPort=0\njournalFileSize=16 * 1024 * 1024\n", nowhere);
      } catch (ConfigException e) {
        throw new IOException("the built-in settings are no valid configuration", e);
      }
    }
  }

  private static EmbeddedBroker start(
      BrokerConfig config,
      Disk disk,
      Authenticator authenticator,
      UnaryOperator<EngineSettings> tuning,
      EngineClock clock,
      Consumer<Throwable> onFatal,
      boolean temporary)
      throws IOException {
    String version = version();
    BrokerThreads threads = new BrokerThreads();
    Server server =
        new Server(
            ServerSettings.of(
                config.bindAddress(),
                config.serverPort(),
                config.lineProtocolUser().isPresent(),
                version));
    Engine engine = null;
    boolean started = false;
    try {
      EngineThreads engineThreads = threads.forEngine(server.loop());
      Login login = new PasswordLogin(authenticator, engineThreads);
      EngineFactory factory =
          new EngineFactory(
              tuning.apply(EngineConfig.settings(config, version)),
              engineThreads,
              clock,
              server.network(),
              login,
              onFatal);
      engine = factory.start(disk, UUID::randomUUID);
      if (engine.isCheckpointDue()) {
        await(engine.checkpoint());
      }
      int port = server.listen(engine);
      started = true;
      LOG.info("serving {}:{} from {}", config.bindAddress(), port, config.dataPath());
      return new EmbeddedBroker(threads, server, engine, config, port, temporary);
    } finally {
      if (!started) {
        server.close();
        threads.close();
        if (engine != null) {
          engine.close();
        }
      }
    }
  }

  private static String version() {
    String version = EmbeddedBroker.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** The port listened on. */
  public int port() {
    return port;
  }

  /** What a connection factory is told to reach this broker. */
  public String url() {
    return "metaq://" + host + ":" + port;
  }

  /** Where the data stands. */
  public Path dataDirectory() {
    return directory;
  }

  /** The figures that {@code stats} of the line protocol shows. */
  public List<String> stats() {
    return onLoop(() -> engine.statistics(""));
  }

  /**
   * Deletes all destinations, subscriptions and transaction branches, and returns when that is
   * durable. For tests that share a broker.
   */
  public void emptyBroker() {
    await(engine.empty());
  }

  /** How many transactions there are in which state. */
  public TransactionFigures transactions() {
    return await(engine.transactions());
  }

  /** Keeps the broker's meters in a registry. */
  public void bindTo(MeterRegistry registry) {
    management.bindTo(registry);
  }

  /** Takes a checkpoint now. */
  public void checkpoint() {
    await(engine.checkpoint());
  }

  private <T> T onLoop(java.util.concurrent.Callable<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    server
        .loop()
        .execute(
            () -> {
              try {
                answer.complete(question.call());
              } catch (Exception e) {
                answer.completeExceptionally(e);
              }
            });
    return await(answer);
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the broker", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the broker did not answer within " + PATIENCE_SECONDS + " seconds", e);
    }
  }

  /** Ends in order: clients are told, everything is durable and in a checkpoint. */
  @Override
  public synchronized void close() {
    if (ended) {
      return;
    }
    ended = true;
    management.close();
    server.disconnectAll("the broker is going down");
    try {
      await(engine.shutDown());
    } catch (IllegalStateException e) {
      LOG.error("the last checkpoint is missing; the next start replays the journal instead", e);
    }
    threads.close();
    server.close();
    try {
      engine.close();
    } catch (IOException e) {
      LOG.error("the journal could not be closed in order; the next start recovers it", e);
    }
    deleteTemporary();
  }

  /**
   * Stops at once, without a word to clients and without a checkpoint, and leaves the data
   * directory as a killed process does. For tests.
   */
  public synchronized void kill() {
    if (ended) {
      return;
    }
    ended = true;
    management.close();
    onLoop(
        () -> {
          engine.stop();
          return null;
        });
    server.close();
    threads.close();
    try {
      engine.abandon();
    } catch (IOException e) {
      LOG.warn("files of the killed broker stay open: {}", e.toString());
    }
  }

  private void deleteTemporary() {
    if (!temporary) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      LOG.warn("the temporary directory {} stays: {}", directory, e.toString());
    }
  }
}
