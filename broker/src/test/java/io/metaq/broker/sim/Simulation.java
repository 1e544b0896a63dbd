package io.metaq.broker.sim;

import io.metaq.broker.core.DestinationSettings;
import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.Redelivery;
import io.metaq.broker.engine.Engine;
import io.metaq.broker.engine.EngineFactory;
import io.metaq.broker.engine.EngineSettings;
import io.metaq.broker.engine.EngineThreads;
import io.metaq.broker.engine.Login;
import io.metaq.broker.sim.Model.Sub;
import io.metaq.broker.sim.Receiving.Mode;
import io.metaq.broker.store.JournalSettings;
import io.metaq.broker.store.RecoveryMode;
import io.metaq.broker.store.SimulatedDisk;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * One simulated life of a broker: clients come and go, the broker crashes and starts again, and in
 * the end everything is drained and the model asked whether all promises were kept.
 */
final class Simulation {

  /** How a start of the broker ends. */
  enum End {
    POWER_CUT,
    KILL,
    ORDERLY
  }

  private static final int JOURNAL_FILE = 64 << 10;
  private static final int LARGEST_ENTRY = 8 << 10;
  private static final int SEGMENT = 2 << 10;
  private static final int CHECKPOINT_BYTES = 48 << 10;

  private final Random random;
  private final SimScheduler scheduler;
  private final SimNetwork network;
  private final Model model = new Model();
  private final List<SimClient> clients = new ArrayList<>();
  private final TokenLedger tokens = new TokenLedger();
  private final boolean large;
  private final Consumer<String> trace;
  private SimulatedDisk disk;
  private Engine engine;
  private long lastOperations;

  /**
   * @param trace told what happens, for finding out why a seed failed
   * @param large whether many messages are sent, or few, for trying every point of a short life
   */
  Simulation(long seed, boolean large, Consumer<String> trace) {
    this.network = new SimNetwork(line -> trace.accept(now() + " " + line));
    this.trace = trace;
    this.random = new Random(seed);
    this.scheduler = new SimScheduler(random);
    this.disk = new SimulatedDisk(random.nextLong());
    this.large = large;
    makeClients();
  }

  private void makeClients() {
    int count = large ? 12 + random.nextInt(60) : 4;
    Sub q1 = model.sub("queue q1", "q1", true);
    Sub q2 = model.sub("queue q2", "q2", true);
    Sub d1 = model.sub("durable d1", "t1", false);
    Sub d2 = model.sub("durable d2", "t1", false);
    SimClient first = client();
    first.add(new Producer(first, random, model, 1, DestinationKind.QUEUE, "q1", count, false));
    first.add(new Producer(first, random, model, 2, DestinationKind.TOPIC, "t1", count, false));
    SimClient second = client();
    second.add(receiver(second, 3, SubscriptionKind.QUEUE, DestinationKind.QUEUE, q1, null, true));
    second.add(durable(second, 4, d1, "d1"));
    SimClient third = client();
    third.add(new Producer(third, random, model, 5, DestinationKind.QUEUE, "q2", count, false));
    third.add(receiver(third, 6, SubscriptionKind.QUEUE, DestinationKind.QUEUE, q2, null, false));
    third.add(new Producer(third, random, model, 9, DestinationKind.QUEUE, "q1", count, true));
    second.add(new XaWorker(second, random, model, 10, "q2", count));
    if (large) {
      SimClient fourth = client();
      fourth.add(
          receiver(fourth, 7, SubscriptionKind.QUEUE, DestinationKind.QUEUE, q2, null, false));
      fourth.add(durable(fourth, 8, d2, "d2"));
      SimClient fifth = client();
      fifth.add(new Branching(fifth, random, tokens, 10));
      model.sub("queue q3", "q3", true);
      SimClient sixth = client();
      sixth.add(new Producer(sixth, random, model, 11, DestinationKind.QUEUE, "q3", count, false));
      sixth.add(new Producer(sixth, random, model, 12, DestinationKind.QUEUE, "q3", count, true));
      SimClient seventh = client();
      seventh.add(new Deleter(seventh, random, model, "q3"));
    }
  }

  private SimClient client() {
    SimClient client =
        new SimClient(network, random, new UUID(random.nextLong(), random.nextLong()));
    clients.add(client);
    return client;
  }

  private Receiving durable(SimClient client, int session, Sub sub, String name) {
    return receiver(
        client, session, SubscriptionKind.SHARED_DURABLE, DestinationKind.TOPIC, sub, name, true);
  }

  private Receiving receiver(
      SimClient client,
      int session,
      SubscriptionKind kind,
      DestinationKind destinationKind,
      Sub sub,
      String name,
      boolean alone) {
    Mode mode = random.nextBoolean() ? Mode.AUTO : Mode.CLIENT;
    return new Receiving(
        client, random, model, session, kind, destinationKind, sub, name, mode, alone);
  }

  private long now() {
    return scheduler.now() % 1_000_000;
  }

  Model model() {
    return model;
  }

  /** Changes the disk saw in the last life: the range of points to crash at. */
  long lastOperations() {
    return lastOperations;
  }

  /** Of the bytes of all journal files, in the order of their names. */
  long journalChecksum() throws IOException {
    CRC32C checksum = new CRC32C();
    for (String name : new TreeSet<>(disk.list("journal"))) {
      checksum.update(disk.contents("journal/" + name));
    }
    return checksum.getValue();
  }

  private static EngineSettings settings() {
    DestinationSettings destinations =
        new DestinationSettings(
            1,
            SEGMENT,
            false,
            0,
            DestinationSettings.Access.OPEN,
            DestinationSettings.History.NONE,
            Limit.NONE,
            new Redelivery(0, 0, 1, 0, 0),
            "DLQ",
            null);
    return new EngineSettings(
        1,
        "simulated",
        30_000,
        1 << 20,
        16 << 10,
        true,
        destinations,
        List.of(),
        JournalSettings.defaults().withFiles(JOURNAL_FILE, LARGEST_ENTRY),
        RecoveryMode.STRICT,
        64 << 10,
        0,
        CHECKPOINT_BYTES,
        0,
        16);
  }

  /** Starts the broker on what the disk holds. */
  private void start() throws IOException {
    EngineThreads threads = scheduler.threads();
    EngineFactory factory =
        new EngineFactory(
            settings(),
            threads,
            scheduler.clock(),
            network,
            Login.OPEN,
            cause -> {
              if (cause instanceof SimulatedDisk.Crash crash) {
                throw crash;
              }
              throw new Model.Broken("the journal failed: " + cause);
            });
    trace.accept("the broker starts");
    engine = factory.start(disk, () -> new UUID(random.nextLong(), random.nextLong()));
    network.listen(engine, threads.loop());
  }

  /**
   * Lives for a number of steps, then ends.
   *
   * @param crashAt the change of the disk, counted within this life, at which the power goes; 0 for
   *     none
   */
  void live(int steps, End end, long crashAt) throws IOException {
    long before = disk.operations();
    if (crashAt > 0) {
      disk.crashAtOperation(before + crashAt);
    }
    try {
      start();
      for (int i = 0; i < steps; i++) {
        step();
      }
      if (end == End.ORDERLY) {
        stopOrderly();
        return;
      }
      lastOperations = disk.operations() - before;
    } catch (SimulatedDisk.Crash e) {
      crash(disk.afterPowerCut());
      return;
    }
    crash(end == End.KILL ? disk.afterKill() : disk.afterPowerCut());
  }

  private void crash(SimulatedDisk left) {
    model.crashed();
    network.die();
    disk = left;
  }

  private void stopOrderly() throws IOException {
    clients.forEach(SimClient::cut);
    CompletableFuture<Void> stopped = engine.shutDown();
    scheduler.settle(1_000);
    if (!stopped.isDone()) {
      throw new Model.Broken("an orderly stop does not end");
    }
    engine.close();
    model.stopped();
  }

  private void step() {
    int dice = random.nextInt(1_000);
    if (dice < 480) {
      scheduler.step();
    } else if (dice < 960) {
      clients.get(random.nextInt(clients.size())).act();
    } else if (dice < 992) {
      scheduler.pass(1 + random.nextInt(6));
    } else if (dice < 996) {
      model.cut();
      clients.get(random.nextInt(clients.size())).cut();
    } else {
      engine.checkpoint();
    }
  }

  /** Starts once more, takes out everything, and settles accounts. */
  void settle() throws IOException {
    start();
    clients.forEach(SimClient::cut);
    for (Sub sub : model.subs()) {
      if (sub.exists) {
        drain(sub);
      }
    }
    if (large) {
      auditTokens();
    }
    CompletableFuture<Void> stopped = engine.shutDown();
    scheduler.settle(1_000);
    if (!stopped.isDone()) {
      throw new Model.Broken("the last stop does not end");
    }
    engine.close();
  }

  private void auditTokens() {
    SimClient client =
        new SimClient(network, random, new UUID(random.nextLong(), random.nextLong()));
    TokenAudit audit = new TokenAudit(client, tokens);
    client.add(audit);
    client.act();
    for (int i = 0; i < 10_000 && !audit.isDone(); i++) {
      scheduler.settle(20);
      client.read();
    }
    if (!audit.isDone()) {
      throw new Model.Broken("the audit of the tokens does not end");
    }
    audit.settle();
  }

  private void drain(Sub sub) {
    boolean queue = sub.name.startsWith("queue");
    SimClient client =
        new SimClient(network, random, new UUID(random.nextLong(), random.nextLong()));
    Drainer drainer =
        new Drainer(
            client,
            model,
            sub,
            queue ? SubscriptionKind.QUEUE : SubscriptionKind.SHARED_DURABLE,
            queue ? DestinationKind.QUEUE : DestinationKind.TOPIC,
            queue ? null : sub.name.substring("durable ".length()));
    client.add(drainer);
    client.act();
    for (int i = 0; i < 10_000 && !drainer.isDone(); i++) {
      scheduler.settle(20);
      client.read();
    }
    if (!drainer.isDone()) {
      throw new Model.Broken("draining " + sub.name + " does not end");
    }
    model.settle(sub, drainer.messages());
  }
}
