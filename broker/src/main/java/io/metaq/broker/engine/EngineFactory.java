package io.metaq.broker.engine;

import io.metaq.broker.core.Core;
import io.metaq.broker.core.CoreSettings;
import io.metaq.broker.store.DataDirectory;
import io.metaq.broker.store.Disk;
import io.metaq.broker.store.Journal;
import io.metaq.broker.store.JournalTail;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Recovers a data directory and puts an engine together on it. */
public final class EngineFactory {
  private final EngineSettings settings;
  private final EngineThreads threads;
  private final EngineClock clock;
  private final Network network;
  private final Login login;
  private final Consumer<Throwable> onFatal;

  /**
   * @param onFatal told when the journal failed: the process must end
   */
  public EngineFactory(
      EngineSettings settings,
      EngineThreads threads,
      EngineClock clock,
      Network network,
      Login login,
      Consumer<Throwable> onFatal) {
    this.settings = settings;
    this.threads = threads;
    this.clock = clock;
    this.network = network;
    this.login = login;
    this.onFatal = onFatal;
  }

  /**
   * Takes the data directory, recovers what it holds, and makes it ready to serve. Runs on the
   * caller's thread; the loop must have nothing to do with the engine before this returns.
   *
   * @param newIdentity gives the identity of a new data directory
   * @throws IOException with a message for the operator
   */
  public Engine start(Disk disk, Supplier<UUID> newIdentity) throws IOException {
    DataDirectory directory = DataDirectory.open(disk, newIdentity);
    boolean started = false;
    try {
      Engine engine = recover(Stores.open(directory, settings.maxOpenFiles()));
      started = true;
      return engine;
    } finally {
      if (!started) {
        directory.close();
      }
    }
  }

  private Engine recover(Stores stores) throws IOException {
    Wiring wiring = new Wiring();
    LogAppender appender = new LogAppender();
    LogSet logs = new LogSet(stores.logs());
    LogWriter logWriter = new LogWriter(appender, threads, wiring);
    Bodies bodies =
        new Bodies(
            stores.bodies(),
            threads,
            stores.directory().generation(),
            settings.maxMessageSize(),
            wiring);
    CommitPosition committed = new CommitPosition();
    Gate gate = new Gate(network, committed);
    AckConfirmations confirmations = new AckConfirmations(network);
    EngineEffects effects =
        new EngineEffects(
            gate,
            confirmations,
            network,
            logs,
            logWriter,
            bodies,
            threads,
            result -> wiring.engine().readDone(result));
    Core core = new Core(coreSettings(stores.directory()), effects);
    SnapshotSections sections = new SnapshotSections();
    JournalTail tail = new Recovery(settings, stores, core, logs, sections, appender).run();
    Journal journal =
        new Journal(
            stores.disk(),
            settings.journal(),
            tail,
            threads.journal(),
            threads.background(),
            threads.loop(),
            clock.nanos(),
            wiring);
    committed.follow(journal);
    effects.open(journal);
    Set<Long> live = core.liveBodies();
    stores.bodies().removeOrphans(live::contains);
    Checkpoints checkpoints =
        new Checkpoints(
            settings, threads, core, journal, gate, logs, logWriter, appender, stores, sections);
    DiskWatch diskWatch =
        new DiskWatch(
            stores.disk(),
            journal,
            logWriter,
            threads,
            settings.reservedDiskBytes(),
            core,
            why -> wiring.engine().storageTrouble(why));
    EngineParts parts =
        new EngineParts(
            settings,
            threads,
            clock,
            network,
            stores,
            core,
            journal,
            gate,
            confirmations,
            logs,
            logWriter,
            appender,
            bodies,
            checkpoints,
            diskWatch,
            onFatal);
    Engine engine = new Engine(parts, login);
    wiring.connect(engine);
    engine.recovered(tail.quarantined());
    return engine;
  }

  private CoreSettings coreSettings(DataDirectory directory) {
    return new CoreSettings(
        directory.identity(),
        settings.brokerId(),
        directory.generation(),
        settings.version(),
        settings.heartbeatMillis(),
        settings.maxMessageSize(),
        settings.cacheBytes(),
        settings.autoCreate(),
        settings.autoCreate(),
        settings.defaults(),
        settings.declarations());
  }
}
