package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Position;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps messages until they are due. Durable ones stand in a log of their own per destination,
 * known here by the hour; those of the current and the next hour by the millisecond. A due message
 * enters its partition like one that was just sent.
 */
final class DelayedMessages {
  private static final int MOST_READ = 256;
  private static final int MOST_BYTES = 1 << 20;
  private static final int STEPS = 1000;

  /** How far a destination's hours are loaded. */
  private static final class Loading {
    private long hour;
    private long next;
    private boolean reading;
  }

  private final Destinations destinations;
  private final Reads reads;
  private final IdClock ids;
  private final Moment moment;
  private final Bodies bodies;
  private final DelayCompaction compaction;
  private final TreeSet<DueSoon> near = new TreeSet<>();
  private final TreeMap<Long, Loading> loading = new TreeMap<>();
  private Recorder recorder;
  private Sends sends;
  private boolean live;
  private boolean fetching;
  private long memoryOrder;

  DelayedMessages(
      Destinations destinations, Reads reads, IdClock ids, Moment moment, Bodies bodies) {
    this.destinations = destinations;
    this.reads = reads;
    this.ids = ids;
    this.moment = moment;
    this.bodies = bodies;
    this.compaction = new DelayCompaction(reads, moment);
  }

  void connect(Recorder entries, Sends accepted) {
    this.recorder = entries;
    this.sends = accepted;
    compaction.connect(entries);
  }

  int nearCount() {
    return near.size();
  }

  // ---- accepting

  void accept(
      Session session,
      Send send,
      Destination destination,
      ByteBuffer content,
      boolean durable,
      boolean large) {
    long now = moment.now();
    ByteBuffer inner =
        RecordView.make(
            content, ids.next(now), Sends.expiration(now, send.timeToLiveMillis()), now, large);
    long dueAt = dueAt(now, send.delayMillis());
    if (!durable) {
      remember(destination, inner, dueAt);
      return;
    }
    recorder.record(
        Placement.single(
            destination,
            logOf(destination),
            session.connection.id,
            session.id,
            send.sequence(),
            DelayedRecord.wrap(inner, RecordView.messageId(inner), dueAt, notFor())),
        destination.isForceDue());
  }

  private static long dueAt(long now, long delay) {
    return now + delay < 0 ? Long.MAX_VALUE : now + delay;
  }

  /** Subscriptions that begin from now on have this id or a higher one. */
  private long notFor() {
    return ids.last() + 1;
  }

  /** Part of a transaction. */
  Entry.Appended place(Placement placement, Destination destination, Entry.PreparedSend send) {
    long id = ids.next(moment.now());
    ByteBuffer inner = RecordView.restamp(send.record(), id);
    return placement.place(
        destination,
        logOf(destination),
        send.producer(),
        send.session(),
        send.sendSequence(),
        0,
        DelayedRecord.wrap(inner, id, send.dueAt(), notFor()));
  }

  private Partition logOf(Destination destination) {
    if (destination.delayed == null) {
      destination.makeDelayed();
    }
    return destination.delayed;
  }

  /** One that need not survive the broker. */
  void remember(Destination destination, ByteBuffer record, long dueAt) {
    if (RecordFormat.isLarge(record)) {
      bodies.hold(Bodies.reference(record).fileId());
    }
    destination.memory.reserve(record.remaining());
    near.add(new DueSoon(dueAt, ids.last(), destination, ++memoryOrder, record, notFor()));
  }

  // ---- applying

  void applyDelayed(Destination destination, Entry.Appended entry) {
    Partition log = logOf(destination);
    ByteBuffer record = entry.record();
    log.append(entry.sequence(), entry.offset(), entry.newSegment(), record);
    ByteBuffer inner = DelayedRecord.inner(record);
    if (RecordFormat.isLarge(inner)) {
      bodies.named(log, entry.sequence(), inner);
    }
    long dueAt = DelayedRecord.dueAt(record);
    destination.delays.add(entry.sequence(), dueAt);
    Loading state = loading.get(destination.id);
    if (live && DelayIndex.hour(dueAt) < (state == null ? nearHours() : state.hour)) {
      near.add(
          new DueSoon(dueAt, RecordView.messageId(record), destination, entry.sequence(), null, 0));
      loading.computeIfAbsent(destination.id, id -> loadedTo(nearHours()));
    }
  }

  private static Loading loadedTo(long hour) {
    Loading state = new Loading();
    state.hour = hour;
    return state;
  }

  /** Hours below this are near. */
  private long nearHours() {
    return DelayIndex.hour(moment.now()) + 2;
  }

  void applyDue(Destination destination, long sequence) {
    if (destination.delayed != null) {
      destination.delays.remove(sequence);
      destination.delayed.done(sequence);
      if (destination.delayed.large != null) {
        Long body = destination.delayed.large.remove(sequence);
        if (body != null) {
          bodies.release(body);
        }
      }
    }
  }

  // ---- time

  void recovered() {
    live = true;
    for (Destination destination : destinations.all()) {
      if (destination.delayed != null) {
        loading.put(destination.id, new Loading());
      }
    }
  }

  /** When to run next. */
  long next() {
    return near.isEmpty() || fetching ? Long.MAX_VALUE : near.first().dueAt();
  }

  /** Looks at the hours that have become near; called now and then. */
  void load() {
    long end = nearHours();
    for (Destination destination : List.copyOf(destinations.all())) {
      if (destination.delayed != null) {
        Loading state = loading.computeIfAbsent(destination.id, id -> new Loading());
        load(destination, state, end);
        compaction.run(destination);
      }
    }
    loading.keySet().removeIf(id -> destinations.byId(id) == null);
  }

  private void load(Destination destination, Loading state, long end) {
    while (!state.reading && state.hour < end) {
      long hour = destination.delays.firstHour(state.hour);
      if (hour >= end) {
        state.hour = end;
        state.next = 0;
        return;
      }
      if (hour > state.hour) {
        state.hour = hour;
        state.next = 0;
      }
      loadSome(destination, state, end);
    }
  }

  private void loadSome(Destination destination, Loading state, long end) {
    SequenceSet hour = destination.delays.inHour(state.hour);
    long sequence = hour.next(state.next);
    while (sequence >= 0) {
      ByteBuffer record = destination.delayed.record(sequence);
      if (record == null) {
        readSome(destination, state, end, sequence, hour);
        return;
      }
      addNear(destination, sequence, record);
      state.next = sequence + 1;
      sequence = hour.next(state.next);
    }
    state.hour++;
    state.next = 0;
  }

  private void readSome(
      Destination destination, Loading state, long end, long from, SequenceSet hour) {
    state.reading = true;
    read(
        destination,
        wanted(hour, from),
        result -> {
          state.reading = false;
          for (ReadResult.Record record : result.records()) {
            addNear(destination, record.sequence(), record.bytes());
          }
          state.next = Math.max(state.next, result.scannedTo());
          if (!destination.deleted) {
            load(destination, state, end);
          }
        });
  }

  private static long[] wanted(SequenceSet sequences, long from) {
    long[] wanted = new long[MOST_READ];
    int count = 0;
    for (long at = from; at >= 0 && count < wanted.length; at = sequences.next(at + 1)) {
      wanted[count++] = at;
    }
    return java.util.Arrays.copyOf(wanted, count);
  }

  private void read(
      Destination destination, long[] wanted, java.util.function.Consumer<ReadResult> then) {
    reads.start(
        token ->
            new ReadRequest(
                token,
                destination.id,
                Partition.DELAYED,
                wanted[0],
                wanted[wanted.length - 1] + 1,
                wanted,
                null,
                MOST_READ,
                MOST_BYTES,
                Integer.MAX_VALUE),
        then);
  }

  private void addNear(Destination destination, long sequence, ByteBuffer record) {
    near.add(
        new DueSoon(
            DelayedRecord.dueAt(record),
            RecordView.messageId(record),
            destination,
            sequence,
            null,
            0));
  }

  /** Lets due messages enter, so many at most. */
  void run() {
    if (fetching) {
      return;
    }
    for (int step = 0; step < STEPS; step++) {
      if (near.isEmpty() || near.first().dueAt() > moment.now()) {
        return;
      }
      DueSoon due = near.pollFirst();
      Destination destination = due.destination();
      if (destination.deleted) {
        if (due.record() != null) {
          bodies.releaseBody(due.record());
        }
        continue;
      }
      if (due.record() != null) {
        destination.memory.unreserve(due.record().remaining());
        enterMemory(destination, due.record(), due.notFor());
        continue;
      }
      ByteBuffer record = destination.delayed.record(due.sequence());
      if (record != null) {
        enter(destination, due.sequence(), record);
      } else if (destination.delays.contains(due.sequence())) {
        fetch(due);
        return;
      }
    }
  }

  /** Later ones wait, so that equal times keep their order. */
  private void fetch(DueSoon first) {
    List<DueSoon> batch = new ArrayList<>();
    batch.add(first);
    while (!near.isEmpty()
        && batch.size() < MOST_READ
        && near.first().destination() == first.destination()
        && near.first().record() == null
        && near.first().dueAt() <= moment.now()) {
      batch.add(near.pollFirst());
    }
    long[] wanted = batch.stream().mapToLong(DueSoon::sequence).sorted().toArray();
    fetching = true;
    read(
        first.destination(),
        wanted,
        result -> {
          fetching = false;
          entered(batch, result);
        });
  }

  private void entered(List<DueSoon> batch, ReadResult result) {
    LongMap<ByteBuffer> records = new LongMap<>();
    result.records().forEach(record -> records.put(record.sequence(), record.bytes()));
    for (DueSoon due : batch) {
      ByteBuffer record = records.get(due.sequence());
      if (due.destination().deleted) {
        continue;
      }
      if (record != null) {
        enter(due.destination(), due.sequence(), record);
      } else if (due.sequence() >= result.scannedTo()) {
        near.add(due);
      } else {
        recorder.record(new Entry.Due(due.destination().id, due.sequence()), false);
      }
    }
  }

  private void enter(Destination destination, long sequence, ByteBuffer record) {
    Entry.Due left = new Entry.Due(destination.id, sequence);
    ByteBuffer inner = DelayedRecord.inner(record);
    long notFor = DelayedRecord.notFor(record);
    boolean wanted =
        destination.settings.declared()
            || destination.subscriptions.stream()
                .anyMatch(subscription -> subscription.id < notFor);
    if (!wanted) {
      recorder.record(left, false);
      return;
    }
    ByteBuffer entering = RecordView.restamp(inner, ids.next(moment.now()));
    Partition partition =
        destination.partitions[(int) Math.floorMod(sequence, (long) destination.partitions.length)];
    Entry.Appended placed =
        new Placement().place(destination, partition, null, 0, 0, notFor, entering);
    recorder.record(new Entry.Group(List.of(placed, left)), true);
  }

  private void enterMemory(Destination destination, ByteBuffer record, long notFor) {
    sends.remember(destination, RecordView.restamp(record, ids.next(moment.now())), notFor);
    bodies.releaseBody(record);
  }

  /** Where the log of delayed messages of a new incarnation begins. */
  static Position start() {
    return new Position(0, 0);
  }
}
