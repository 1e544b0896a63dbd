package io.metaq.broker.core;

import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames;
import io.metaq.wire.MessageFrames.AckConfirmed;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat.LargeBody;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.WireWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A core with everything around it played: a journal in memory whose commits the test controls,
 * partition logs that are read from it, and clients that are lists of frames.
 */
final class CoreHarness implements Effects {
  static final UUID BROKER = new UUID(1, 1);

  /** A frame that left, or waits for its gate. */
  record Out(int connection, int correlation, Frame frame) {}

  private record Gated(long index, Out out) {}

  private record LogKey(long destination, int partition) implements Comparable<LogKey> {
    @Override
    public int compareTo(LogKey other) {
      int byId = Long.compare(destination, other.destination);
      return byId != 0 ? byId : Integer.compare(partition, other.partition);
    }
  }

  final CoreSettings settings;
  Core core;
  final List<Entry> journal = new ArrayList<>();
  final List<Boolean> forced = new ArrayList<>();
  final List<Out> sent = new ArrayList<>();
  final Map<Integer, String> closed = new TreeMap<>();
  final List<ReadRequest> reads = new ArrayList<>();
  final List<Long> readFrom = new ArrayList<>();
  final List<Long> released = new ArrayList<>();
  final List<Integer> pausedConnections = new ArrayList<>();
  final List<Throwable> faults = new ArrayList<>();
  final List<String> reports = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  private final Map<LogKey, TreeMap<Long, ByteBuffer>> logs = new TreeMap<>();
  private final ArrayDeque<Gated> gate = new ArrayDeque<>();
  private final Map<Long, Long> seals = new TreeMap<>();
  final Map<Integer, ByteArrayOutputStream> spools = new TreeMap<>();
  private final Map<Long, Integer> extentSeals = new TreeMap<>();
  final Map<Long, byte[]> extents = new TreeMap<>();
  final ArrayDeque<ByteBuffer> extentReads = new ArrayDeque<>();
  private final EntryChain chain = new EntryChain();
  private long gateIndex = -1;
  private long committed = -1;
  boolean autoCommit = true;
  int failingReads;
  int failingSeals;
  int failingExtentReads;
  int scanned;

  /** How often the core was given a turn. */
  long worked;

  long now = 1_800_000_000_000L;
  private int correlations;

  CoreHarness() {
    this(defaults());
  }

  CoreHarness(CoreSettings settings) {
    this.settings = settings;
    this.core = new Core(settings, this);
    core.recovered(now);
  }

  static CoreSettings defaults() {
    return CoreSettings.defaults(BROKER, 0, 1, "test");
  }

  static CoreSettings with(DestinationSettings destinations) {
    CoreSettings base = defaults();
    return new CoreSettings(
        base.brokerIdentity(),
        base.brokerId(),
        base.generation(),
        base.version(),
        base.heartbeatMillis(),
        base.maxMessageSize(),
        base.cacheBytes(),
        true,
        true,
        destinations,
        List.of());
  }

  static CoreSettings withCache(long bytes) {
    CoreSettings base = defaults();
    return new CoreSettings(
        base.brokerIdentity(),
        0,
        1,
        "test",
        10_000,
        base.maxMessageSize(),
        bytes,
        true,
        true,
        base.defaults(),
        List.of());
  }

  // ---- effects

  @Override
  public long append(Entry entry, boolean force) {
    WireWriter out = new WireWriter();
    EntryCodec.encode(entry, out);
    Entry copy = EntryCodec.decode(ByteBuffer.wrap(out.toByteArray()));
    long index = journal.size();
    journal.add(copy);
    forced.add(force);
    if (force) {
      gateIndex = index;
    }
    if (autoCommit) {
      commit();
    }
    return index;
  }

  @Override
  public void send(int connection, int correlation, Frame frame) {
    Out out = new Out(connection, correlation, detached(frame));
    if (gateIndex <= committed) {
      sent.add(out);
    } else {
      gate.add(new Gated(gateIndex, out));
    }
  }

  @Override
  public void sendNow(int connection, int correlation, Frame frame) {
    sent.add(new Out(connection, correlation, detached(frame)));
  }

  private static Frame detached(Frame frame) {
    WireWriter out = new WireWriter();
    FrameCodec.encode(1, frame, out);
    byte[] bytes = out.toByteArray();
    return FrameCodec.decode(ByteBuffer.wrap(bytes, 4, bytes.length - 4)).frame();
  }

  @Override
  public void awaitAppended() {
    // entries count as committed when they are appended
  }

  @Override
  public void confirmAck(int connection, long ackSequence) {
    sent.add(new Out(connection, 0, new AckConfirmed(ackSequence)));
  }

  @Override
  public void close(int connection, ErrorCode code, String why) {
    closed.put(connection, code + ": " + why);
  }

  @Override
  public void read(ReadRequest request) {
    reads.add(request);
    readFrom.add(request.from());
  }

  @Override
  public void pauseReading(int connection, boolean pause) {
    if (pause) {
      pausedConnections.add(connection);
    } else {
      pausedConnections.remove((Integer) connection);
    }
  }

  @Override
  public void upload(int connection, int correlation, MessageFrames.UploadChunk chunk) {
    if (connection < 0) {
      byte[] piece = new byte[chunk.bytes().remaining()];
      chunk.bytes().duplicate().get(piece);
      spools.computeIfAbsent(connection, key -> new ByteArrayOutputStream()).writeBytes(piece);
    }
  }

  @Override
  public void sealBody(int connection, long uploadId, long token) {
    if (connection < 0) {
      extentSeals.put(token, connection);
    } else {
      seals.put(token, uploadId);
    }
  }

  @Override
  public void dropUploads(int connection) {
    spools.remove(connection);
  }

  @Override
  public void readExtent(long fileId, long offset, int length) {
    byte[] file = extents.get(fileId);
    int end = (int) Math.min(file.length, offset + length);
    extentReads.add(ByteBuffer.wrap(Arrays.copyOfRange(file, (int) offset, end)));
  }

  /** Makes the extents durable that are to be; true if there were any. */
  boolean sealExtents() {
    Map<Long, Integer> waiting = new TreeMap<>(Comparator.reverseOrder());
    waiting.putAll(extentSeals);
    extentSeals.clear();
    waiting.forEach(
        (token, spool) -> {
          byte[] file = spools.remove(spool).toByteArray();
          if (failingSeals > 0) {
            failingSeals--;
            core.bodySealed(token, null, "injected", now);
            return;
          }
          long fileId = 1_000 + extents.size();
          extents.put(fileId, file);
          core.bodySealed(token, new LargeBody(fileId, file.length, 0), null, now);
        });
    return !waiting.isEmpty();
  }

  /** Answers one read of an extent; true if there was one. */
  boolean readExtent() {
    ByteBuffer bytes = extentReads.poll();
    if (bytes != null && failingExtentReads > 0) {
      failingExtentReads--;
      core.extentRead(null, "injected", now);
    } else if (bytes != null) {
      core.extentRead(bytes, null, now);
    }
    return bytes != null;
  }

  @Override
  public void readBody(int connection, int correlation, long fileId, long offset, int length) {
    sent.add(
        new Out(connection, correlation, new MessageFrames.BodyChunk(ByteBuffer.allocate(length))));
  }

  @Override
  public void report(String what, Throwable fault) {
    reports.add(what);
    faults.add(fault);
  }

  @Override
  public void note(String what) {
    notes.add(what);
  }

  @Override
  public void releaseBody(long fileId) {
    released.add(fileId);
  }

  // ---- journal and logs

  /** Everything appended so far is on disk; what waited for it leaves. */
  void commit() {
    for (long index = committed + 1; index < journal.size(); index++) {
      chain.complete(journal.get((int) index)).ifPresent(this::store);
    }
    committed = journal.size() - 1L;
    while (!gate.isEmpty() && gate.peek().index() <= committed) {
      sent.add(gate.poll().out());
    }
  }

  private void store(Entry entry) {
    if (entry instanceof Entry.Appended appended) {
      logs.computeIfAbsent(
              new LogKey(appended.destinationId(), appended.partition()), key -> new TreeMap<>())
          .put(appended.sequence(), appended.record());
    } else if (entry instanceof Entry.Group group) {
      group.parts().forEach(this::store);
    } else if (entry instanceof Entry.TransactionCommitted transaction) {
      transaction.parts().forEach(this::store);
    } else if (entry instanceof Entry.BranchCompleted branch) {
      branch.parts().forEach(this::store);
    }
  }

  /** Tells the core that all of it can be read from the logs. */
  void written() {
    logs.forEach((key, log) -> core.written(key.destination(), key.partition(), log.lastKey()));
  }

  /** Answers the reads that wait; true if there were any. */
  boolean answerReads() {
    List<ReadRequest> waiting = new ArrayList<>(reads);
    reads.clear();
    waiting.forEach(request -> core.readDone(answer(request), now));
    return !waiting.isEmpty();
  }

  private ReadResult answer(ReadRequest request) {
    if (failingReads > 0) {
      failingReads--;
      return new ReadResult(request.token(), List.of(), request.from(), List.of(), "injected");
    }
    TreeMap<Long, ByteBuffer> log =
        logs.getOrDefault(
            new LogKey(request.destinationId(), request.partition()), new TreeMap<>());
    List<ReadResult.Record> found = new ArrayList<>();
    long bytes = 0;
    long at = request.from();
    int looked = 0;
    for (Map.Entry<Long, ByteBuffer> entry : log.subMap(request.from(), request.end()).entrySet()) {
      if (found.size() >= request.maxRecords()
          || bytes >= request.maxBytes()
          || looked >= request.maxScanned()) {
        return new ReadResult(request.token(), found, at, List.of(), null);
      }
      at = entry.getKey() + 1;
      if (request.wanted() != null
          && java.util.Arrays.binarySearch(request.wanted(), entry.getKey()) < 0) {
        continue;
      }
      looked++;
      scanned++;
      if (request.filter() == null || request.filter().test(entry.getValue())) {
        found.add(new ReadResult.Record(entry.getKey(), entry.getValue()));
        bytes += entry.getValue().remaining();
      }
    }
    return new ReadResult(request.token(), found, request.end(), List.of(), null);
  }

  /** Works until there is nothing left to do at this time. */
  void settle() {
    boolean more = true;
    for (int rounds = 0; more; rounds++) {
      if (rounds > 1_000_000) {
        throw new IllegalStateException("the core never comes to rest");
      }
      more = core.work(64, now);
      worked++;
      more |= sealExtents();
      more |= readExtent();
      if (answerReads()) {
        more = true;
        core.tick(now);
      }
    }
  }

  /** Time passes. */
  void pass(long millis) {
    long end = now + millis;
    while (now < end) {
      long next = core.tick(now);
      now = Math.min(end, Math.max(now + 1, Math.min(next, now + 1000)));
      core.tick(now);
      settle();
    }
  }

  /** Kill -9 with everything committed: a new core from the journal. */
  void restart() {
    commit();
    replayInto(List.of(), 0);
  }

  /** A crash that leaves so many entries of the journal. */
  void crashTo(int length) {
    committed = -1;
    gateIndex = -1;
    logs.clear();
    commit();
    replayInto(List.of(), 0);
    if (committed != length - 1) {
      throw new IllegalStateException("the journal has another length");
    }
  }

  /** From snapshot units and the journal behind {@code from}. */
  void replayInto(List<SnapshotUnit> units, long from) {
    core = new Core(settings, this);
    sent.clear();
    gate.clear();
    reads.clear();
    extentReads.clear();
    extentSeals.clear();
    spools.clear();
    units.forEach(core::restore);
    for (int i = (int) from; i < journal.size(); i++) {
      core.apply(i, journal.get(i));
    }
    written();
    core.recovered(now);
  }

  List<SnapshotUnit> snapshot() {
    List<SnapshotUnit> units = new ArrayList<>();
    for (Iterator<SnapshotUnit> walk = core.snapshot(); walk.hasNext(); ) {
      SnapshotUnit unit = walk.next();
      byte[] bytes = new byte[unit.bytes().remaining()];
      unit.bytes().duplicate().get(bytes);
      units.add(
          new SnapshotUnit(
              unit.kind(), unit.id(), unit.index(), unit.changedAt(), ByteBuffer.wrap(bytes)));
    }
    return units;
  }

  // ---- clients

  Client client(int number) {
    return client(number, new UUID(7, number), 0, null);
  }

  Client client(int number, UUID id, int attempt, String clientId) {
    core.connected(number, "peer" + number, now);
    Client client = new Client(number, id);
    client.request(
        new Hello(FrameCodec.PROTOCOL_VERSION, "test", id, attempt, clientId, null, null, 10_000));
    return client;
  }

  void sealed(LargeBody body) {
    long token = seals.keySet().iterator().next();
    seals.remove(token);
    core.bodySealed(token, body, body == null ? "injected" : null, now);
  }

  /** A message as a client sends it. */
  static ByteBuffer message(
      String text, int priority, boolean persistent, Map<String, Object> properties) {
    return message(text, priority, persistent, null, null, properties);
  }

  static ByteBuffer message(
      String text,
      int priority,
      boolean persistent,
      String group,
      String correlation,
      Map<String, Object> properties) {
    return message(text, priority, persistent, group, 0, correlation, properties);
  }

  static ByteBuffer message(
      String text,
      int priority,
      boolean persistent,
      String group,
      int groupSequence,
      String correlation,
      Map<String, Object> properties) {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_TEXT,
            persistent ? MessageBlock.FLAG_PERSISTENT : 0,
            priority,
            0,
            0,
            0,
            0,
            0,
            text.length(),
            new UUID(7, 1),
            null,
            group,
            groupSequence,
            correlation,
            "ID:" + text,
            DestinationKind.QUEUE,
            "q",
            null,
            null,
            null,
            properties);
    ByteBuffer built = Content.build(block, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    byte[] bytes = new byte[built.remaining()];
    built.get(bytes);
    return ByteBuffer.wrap(bytes);
  }

  static String text(Deliver deliver) {
    ByteBuffer payload = Content.of(deliver.content()).payload();
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** One scripted client. */
  final class Client {
    final int number;
    final UUID id;
    private long sequences;
    int consumers;

    Client(int number, UUID id) {
      this.number = number;
      this.id = id;
    }

    void oneWay(Frame frame) {
      core.frame(number, 0, frame, now);
    }

    int ask(Frame frame) {
      int correlation = ++correlations;
      core.frame(number, correlation, frame, now);
      return correlation;
    }

    /** The answer, or null while it waits. */
    Frame answer(int correlation) {
      return sent.stream()
          .filter(out -> out.connection() == number && out.correlation() == correlation)
          .map(Out::frame)
          .findFirst()
          .orElse(null);
    }

    Frame request(Frame frame) {
      return answer(ask(frame));
    }

    void disconnect() {
      core.disconnected(number, now);
    }

    long resolve(DestinationKind kind, String name) {
      return ((Resolved) request(new Resolve(kind, name))).destinationId();
    }

    long queue(String name) {
      return resolve(DestinationKind.QUEUE, name);
    }

    long topic(String name) {
      return resolve(DestinationKind.TOPIC, name);
    }

    Frame send(long destination, String text) {
      return send(destination, text, 4);
    }

    Frame send(long destination, String text, int priority) {
      return send(destination, message(text, priority, true, Map.of()));
    }

    Frame send(long destination, ByteBuffer content) {
      return request(sendFrame(destination, content, 0, 0));
    }

    Send sendFrame(long destination, ByteBuffer content, long timeToLive, long delay) {
      return new Send(1, ++sequences, destination, 0, timeToLive, delay, 0, content);
    }

    int consume(SubscriptionKind kind, String destination, String name, String selector) {
      int consumer = ++consumers;
      Frame answer =
          request(
              new Consume(
                  consumer,
                  1,
                  kind,
                  kind == SubscriptionKind.QUEUE || kind == SubscriptionKind.BROWSER
                      ? DestinationKind.QUEUE
                      : DestinationKind.TOPIC,
                  destination,
                  name,
                  selector,
                  false,
                  false,
                  0));
      if (!(answer instanceof io.metaq.wire.SubscriptionFrames.Consuming)) {
        throw new IllegalStateException("refused: " + answer);
      }
      return consumer;
    }

    Frame tryConsume(
        SubscriptionKind kind,
        DestinationKind of,
        String destination,
        String name,
        String selector,
        boolean noLocal,
        boolean exclusive,
        int priority) {
      return request(
          new Consume(
              ++consumers, 1, kind, of, destination, name, selector, noLocal, exclusive, priority));
    }

    /** The consumer that was asked for last. */
    int latest() {
      return consumers;
    }

    int consumeQueue(String name) {
      return consume(SubscriptionKind.QUEUE, name, null, null);
    }

    void credit(int consumer, int messages) {
      oneWay(new MessageFrames.Credit(consumer, messages, 1 << 20, false));
      settle();
    }

    List<Deliver> deliveries() {
      return deliveries(deliver -> true);
    }

    List<Deliver> deliveries(Predicate<Deliver> wanted) {
      return sent.stream()
          .filter(out -> out.connection() == number && out.frame() instanceof Deliver)
          .map(out -> (Deliver) out.frame())
          .filter(wanted)
          .toList();
    }

    List<String> texts() {
      return deliveries().stream().map(CoreHarness::text).toList();
    }

    List<String> texts(int consumer) {
      return deliveries(deliver -> deliver.consumerId() == consumer).stream()
          .map(CoreHarness::text)
          .toList();
    }

    Frame acknowledge(Deliver deliver) {
      return request(new MessageFrames.Ack(0, 0, List.of(range(deliver))));
    }
  }

  static Range range(Deliver deliver) {
    return Range.of(deliver);
  }
}
