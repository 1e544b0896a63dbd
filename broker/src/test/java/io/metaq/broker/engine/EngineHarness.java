package io.metaq.broker.engine;

import io.metaq.broker.core.DestinationSettings;
import io.metaq.broker.core.DestinationSettings.Declaration;
import io.metaq.broker.store.JournalSettings;
import io.metaq.broker.store.ManualExecutor;
import io.metaq.broker.store.SimulatedDisk;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.UUID;

/**
 * An engine whose threads and clock move when a test says so, with clients that only take notes.
 */
final class EngineHarness implements Network {
  final ManualExecutor journal = new ManualExecutor();
  final ManualExecutor logWriter = new ManualExecutor();
  final ManualExecutor readers = new ManualExecutor();
  final ManualExecutor bodies = new ManualExecutor();
  final ManualExecutor background = new ManualExecutor();
  final ManualExecutor loopTasks = new ManualExecutor();
  final Map<Integer, Frame> answers = new HashMap<>();
  final List<Deliver> deliveries = new ArrayList<>();
  final List<String> closed = new ArrayList<>();
  Throwable fatal;
  boolean allPaused;
  SimulatedDisk disk;
  private EngineSettings settings;
  private Engine engine;
  private long now = 1_800_000_000_000L;
  private long sequence;
  private int correlation;
  private int connection;

  private record Timer(long at, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return Long.compare(at, other.at);
    }
  }

  private final PriorityQueue<Timer> timers = new PriorityQueue<>();

  EngineHarness(SimulatedDisk disk, boolean inlineForce, long reserved) {
    this.disk = disk;
    EngineSettings defaults = EngineSettings.defaults("test");
    settings =
        new EngineSettings(
            0,
            "test",
            30_000,
            1 << 20,
            1 << 20,
            true,
            defaults.defaults(),
            List.of(),
            JournalSettings.defaults().withFiles(256 << 10, 64 << 10).withInlineForce(inlineForce),
            defaults.recovery(),
            256 << 10,
            0,
            128 << 10,
            reserved,
            16);
  }

  /** Before the start: a declared queue of which only each so many-th receipt waits for a force. */
  void declareRelaxed(String queue, int unflushThreshold) {
    DestinationSettings usual = settings.defaults();
    DestinationSettings relaxed =
        new DestinationSettings(
            1,
            usual.segmentSize(),
            true,
            unflushThreshold,
            DestinationSettings.Access.OPEN,
            DestinationSettings.History.NONE,
            usual.limit(),
            usual.redelivery(),
            usual.deadLetterQueue(),
            null);
    settings =
        new EngineSettings(
            settings.brokerId(),
            settings.version(),
            settings.heartbeatMillis(),
            settings.maxMessageSize(),
            settings.cacheBytes(),
            settings.autoCreate(),
            usual,
            List.of(new Declaration(DestinationKind.QUEUE, queue, relaxed)),
            settings.journal(),
            settings.recovery(),
            settings.maxUnwrittenBytes(),
            settings.checkpointMillis(),
            settings.checkpointBytes(),
            settings.reservedDiskBytes(),
            settings.maxOpenFiles());
  }

  void start() throws IOException {
    Loop loop =
        new Loop() {
          @Override
          public void execute(Runnable task) {
            loopTasks.execute(task);
          }

          @Override
          public void schedule(Runnable task, long delayMillis) {
            if (delayMillis == 0) {
              loopTasks.execute(task);
            } else {
              timers.add(new Timer(now + delayMillis, task));
            }
          }
        };
    EngineFactory factory =
        new EngineFactory(
            settings,
            new EngineThreads(loop, journal, logWriter, readers, bodies, background),
            new EngineClock(() -> now, () -> now * 1_000_000),
            this,
            Login.OPEN,
            cause -> fatal = cause);
    engine = factory.start(disk, () -> new UUID(5, 6));
    login();
  }

  Engine engine() {
    return engine;
  }

  /** Drops everything as a kill does, and starts on what the disk holds. */
  void restart(SimulatedDisk left) throws IOException {
    for (ManualExecutor executor :
        List.of(journal, logWriter, readers, bodies, background, loopTasks)) {
      executor.clear();
    }
    timers.clear();
    deliveries.clear();
    disk = left;
    start();
  }

  private void login() {
    engine.connected(++connection, "test");
    ask(
        new Hello(
            FrameCodec.PROTOCOL_VERSION,
            "test",
            new UUID(7, connection),
            0,
            null,
            null,
            null,
            30_000));
    settle();
  }

  /** Runs all threads until nothing is left to do. */
  void settle() {
    boolean more = true;
    while (more) {
      more = loopTasks.runOne() | journal.runOne() | logWriter.runOne();
      more |= readers.runOne() | bodies.runOne() | background.runOne();
    }
  }

  /** Lets time pass, running all threads. */
  void pass(long millis) {
    long until = now + millis;
    settle();
    while (!timers.isEmpty() && timers.peek().at() <= until) {
      Timer timer = timers.remove();
      now = Math.max(now, timer.at());
      loopTasks.execute(timer.task());
      settle();
    }
    now = until;
  }

  int ask(Frame frame) {
    engine.frame(connection, ++correlation, frame);
    return correlation;
  }

  Frame answered(Frame frame) {
    int number = ask(frame);
    settle();
    return answers.get(number);
  }

  long queue(String name) {
    return ((Resolved) answered(new Resolve(DestinationKind.QUEUE, name))).destinationId();
  }

  Send message(long destinationId, int size) {
    long number = ++sequence;
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_BYTES,
            MessageBlock.FLAG_PERSISTENT,
            4,
            0,
            0,
            0,
            0,
            0,
            size,
            new UUID(7, connection),
            null,
            null,
            0,
            null,
            "ID:" + number,
            DestinationKind.QUEUE,
            "q",
            null,
            null,
            null,
            Map.of());
    return new Send(
        1, number, destinationId, 0, 0, 0, 0, Content.build(block, ByteBuffer.allocate(size)));
  }

  void consume(String queue, int credit) {
    answered(
        new Consume(
            1,
            2,
            SubscriptionKind.QUEUE,
            DestinationKind.QUEUE,
            queue,
            null,
            null,
            false,
            false,
            0));
    engine.frame(connection, 0, new Credit(1, credit, 1 << 30, false));
    settle();
  }

  boolean acknowledged(Deliver deliver) {
    Range range = Range.of(deliver);
    return answered(new Ack(++sequence, 0, List.of(range))) instanceof Ok;
  }

  void acknowledgeOneWay(Deliver deliver) {
    Range range = Range.of(deliver);
    engine.frame(connection, 0, new Ack(++sequence, 0, List.of(range)));
  }

  static String id(Deliver deliver) {
    return Content.of(deliver.content()).block().messageId();
  }

  @Override
  public void send(int to, int number, Frame frame) {
    if (frame instanceof Deliver deliver) {
      ByteBuffer copy = ByteBuffer.allocate(deliver.content().remaining());
      copy.put(deliver.content().duplicate()).flip();
      deliveries.add(
          new Deliver(
              deliver.consumerId(),
              deliver.subscriptionId(),
              deliver.lane(),
              deliver.sequence(),
              deliver.ordinal(),
              deliver.deliveryCount(),
              deliver.largeBody(),
              copy));
    } else if (number != 0) {
      answers.put(number, frame);
    }
  }

  @Override
  public void flush() {
    // notes were taken already
  }

  @Override
  public void close(int to, ErrorCode code, String why) {
    closed.add(code + " " + why);
  }

  @Override
  public void pauseReading(int from, boolean paused) {
    // no test looks at a single client
  }

  @Override
  public void pauseReading(boolean paused) {
    allPaused = paused;
  }
}
