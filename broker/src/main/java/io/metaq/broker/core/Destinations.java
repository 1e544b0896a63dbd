package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.Declaration;
import io.metaq.broker.core.Entry.Position;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All destinations and subscriptions by id and name, and where the partitions of deleted ones
 * ended, so that a later incarnation goes on behind them. Holds and finds; what may be created or
 * deleted when is decided elsewhere.
 */
final class Destinations {
  private static final int GENERATION_SHIFT = 32;
  private static final int REMEMBERED = 10_000;

  /** Identity of a durable or shared subscription: a typed triple. */
  record SubscriptionKey(boolean durable, String clientId, String name) {}

  private final CoreSettings settings;
  private final RecordCache cache;
  private final LongMap<Destination> byId = new LongMap<>();
  private final TreeMap<String, Destination> byName = new TreeMap<>();
  private final LongMap<Subscription> subscriptions = new LongMap<>();
  private final Map<SubscriptionKey, Subscription> byKey = new java.util.HashMap<>();
  private final TreeMap<Long, DurablePattern> patterns = new TreeMap<>();
  private final LinkedHashMap<String, List<Position>> ended = new LinkedHashMap<>();
  private Position floor = new Position(0, 0);
  private long restored = -1;
  private long changed;

  Destinations(CoreSettings settings, RecordCache cache) {
    this.settings = settings;
    this.cache = cache;
  }

  /**
   * Sequences of this start lie above those of earlier ones, so that a late acknowledgement of a
   * message that went with the former broker does not hit one of this.
   */
  MemoryLane memoryLane() {
    return new MemoryLane(settings.generation() << GENERATION_SHIFT);
  }

  Destination byId(long id) {
    return byId.get(id);
  }

  Destination byName(String name) {
    return byName.get(name);
  }

  Collection<Destination> all() {
    return byName.values();
  }

  Subscription subscription(long id) {
    return subscriptions.get(id);
  }

  Subscription subscription(SubscriptionKey key) {
    return byKey.get(key);
  }

  /** Durable subscriptions on patterns, the oldest first. */
  Collection<DurablePattern> patterns() {
    return patterns.values();
  }

  DurablePattern pattern(long id) {
    return patterns.get(id);
  }

  /** Null if there is none. */
  DurablePattern pattern(SubscriptionKey key) {
    for (DurablePattern pattern : patterns.values()) {
      if (key.equals(new SubscriptionKey(true, pattern.clientId, pattern.name))) {
        return pattern;
      }
    }
    return null;
  }

  /** What a pattern's subscription has on each topic. */
  List<Subscription> parts(DurablePattern pattern) {
    List<Subscription> parts = new ArrayList<>();
    for (Destination destination : byName.values()) {
      Subscription part = part(pattern, destination);
      if (part != null) {
        parts.add(part);
      }
    }
    return parts;
  }

  /** Null if it has none on this topic. */
  Subscription part(DurablePattern pattern, Destination topic) {
    for (Subscription subscription : topic.subscriptions) {
      if (subscription.patternId == pattern.id) {
        return subscription;
      }
    }
    return null;
  }

  void patternCreated(long index, Entry.PatternCreated entry) {
    if (index > restored) {
      changed = index;
      DurableTerms terms =
          new DurableTerms(entry.pattern(), entry.shared(), entry.selector(), entry.noLocal());
      patterns.put(
          entry.patternId(),
          new DurablePattern(entry.patternId(), entry.clientId(), entry.name(), terms));
    }
  }

  void patternDeleted(long index, long id) {
    if (index > restored) {
      changed = index;
      patterns.remove(id);
    }
  }

  static SubscriptionKey key(Subscription subscription) {
    return new SubscriptionKey(subscription.durable, subscription.clientId, subscription.name);
  }

  /**
   * What the configuration says for a name: an exact declaration, else the longest matching
   * pattern, else the default.
   */
  DestinationSettings settings(DestinationKind kind, String name) {
    Declaration best = null;
    for (Declaration declaration : settings.declarations()) {
      boolean fits = declaration.kind().isQueue() == kind.isQueue() && declaration.covers(name);
      if (fits && (best == null || isCloser(declaration, best))) {
        best = declaration;
      }
    }
    return best == null ? settings.defaults() : best.settings();
  }

  private static boolean isCloser(Declaration one, Declaration other) {
    if (one.isPattern() != other.isPattern()) {
      return !one.isPattern();
    }
    return one.pattern().length() > other.pattern().length();
  }

  /** Where the partitions of a new incarnation begin. */
  List<Position> positions(DestinationKind kind, String name) {
    List<Position> positions = new ArrayList<>();
    List<Position> former = ended.getOrDefault(name, List.of());
    int count = settings(kind, name).partitions();
    for (int i = 0; i < count; i++) {
      positions.add(i < former.size() ? former.get(i) : floor);
    }
    return positions;
  }

  void addTemporary(Destination destination) {
    byId.put(destination.id, destination);
    byName.put(destination.name, destination);
  }

  /** Null if the snapshot already holds it. */
  Destination created(long index, Entry.DestinationCreated entry) {
    Destination before = byId.get(entry.destinationId());
    if (before != null) {
      return null;
    }
    Destination destination =
        new Destination(
            entry.destinationId(),
            entry.kind(),
            entry.name(),
            settings(entry.kind(), entry.name()),
            entry.partitions(),
            cache,
            memoryLane());
    destination.changed = index;
    byId.put(destination.id, destination);
    byName.put(destination.name, destination);
    if (index > restored) {
      changed = index;
      ended.remove(destination.name);
    }
    if (entry.queueSubscriptionId() != 0) {
      add(
          new Subscription(
              entry.queueSubscriptionId(), destination, 0, true, true, null, null, null, false));
    }
    return destination;
  }

  void deleted(long index, Destination destination) {
    remove(destination);
    if (index > restored && !destination.kind.isTemporary()) {
      changed = index;
      List<Position> positions = new ArrayList<>();
      for (Partition partition : destination.partitions) {
        positions.add(partition.position());
      }
      ended.put(destination.name, positions);
      if (ended.size() > REMEMBERED) {
        forgetOldestEnd();
      }
    }
  }

  /** Bounded memory: a name forgotten here goes on behind the furthest one forgotten. */
  private void forgetOldestEnd() {
    for (Position position : ended.remove(ended.keySet().iterator().next())) {
      floor =
          new Position(
              Math.max(floor.sequence(), position.sequence()),
              Math.max(floor.offset(), position.offset()));
    }
  }

  void remove(Destination destination) {
    destination.deleted = true;
    byId.remove(destination.id);
    byName.remove(destination.name, destination);
    for (Subscription subscription : List.copyOf(destination.subscriptions)) {
      remove(subscription);
    }
    for (Partition partition : destination.partitions) {
      partition.forget();
    }
    if (destination.delayed != null) {
      destination.delayed.forget();
    }
  }

  void add(Subscription subscription) {
    subscription.destination.subscriptions.add(subscription);
    index(subscription);
  }

  private void index(Subscription subscription) {
    subscriptions.put(subscription.id, subscription);
    if (subscription.name != null && subscription.patternId == 0) {
      byKey.put(key(subscription), subscription);
    }
  }

  void remove(Subscription subscription) {
    subscription.deleted = true;
    subscription.destination.subscriptions.remove(subscription);
    subscriptions.remove(subscription.id);
    if (subscription.name != null) {
      byKey.remove(key(subscription), subscription);
    }
  }

  SnapshotUnit snapshot(long index, long lastId) {
    WireWriter out = new WireWriter();
    out.i64(lastId).i64(floor.sequence()).i64(floor.offset()).i32(ended.size());
    ended.forEach(
        (name, positions) -> {
          out.string(name).i32(positions.size());
          positions.forEach(position -> out.i64(position.sequence()).i64(position.offset()));
        });
    out.i32(patterns.size());
    patterns.values().forEach(pattern -> pattern.encode(out));
    return new SnapshotUnit(SnapshotUnit.Kind.DIRECTORY, 0, index, changed, out.written());
  }

  /** Returns the last id handed out. */
  long restoreDirectory(SnapshotUnit unit) {
    restored = unit.index();
    changed = unit.changedAt();
    WireReader in = new WireReader(unit.bytes());
    final long lastId = in.i64();
    floor = new Position(in.i64(), in.i64());
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      ended.put(in.text(), in.list(16, position -> new Position(position.i64(), position.i64())));
    }
    for (int left = in.i32(); left > 0; left--) {
      DurablePattern pattern = DurablePattern.decode(in);
      patterns.put(pattern.id, pattern);
    }
    return lastId;
  }

  Destination restore(SnapshotUnit unit) {
    Destination destination = Destination.restore(unit, cache, memoryLane(), this::settings);
    byId.put(destination.id, destination);
    byName.put(destination.name, destination);
    destination.subscriptions.forEach(this::index);
    return destination;
  }
}
