package io.metaq.broker.sim;

import io.metaq.broker.sim.Message.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What clients have been told, and what therefore must be so. Told means flushed to the client's
 * socket: whether the client lived to read it does not matter.
 */
final class Model {

  /** A promise that was broken. */
  static final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    Broken(String what) {
      super(what);
    }
  }

  /** What one subscription has to do with one message. */
  static final class Fate {
    boolean due;
    boolean ackSent;
    boolean ackConfirmed;
    boolean handed;
    boolean gone;
    int delivered;
  }

  /** A subscription and its messages. */
  static final class Sub {
    final String name;
    final String destination;
    final Map<String, Fate> fates = new HashMap<>();
    boolean exists;

    Sub(String name, String destination, boolean exists) {
      this.name = name;
      this.destination = destination;
      this.exists = exists;
    }

    Fate fate(String id) {
      return fates.computeIfAbsent(id, key -> new Fate());
    }
  }

  /** The deliveries of one consumer since it was created, or its session recovered. */
  static final class View {
    final Sub sub;
    final Set<String> here = new HashSet<>();

    /** Given back, and not yet here again. */
    final Set<String> returned = new HashSet<>();

    View(Sub sub) {
      this.sub = sub;
    }
  }

  private final Map<String, Message> messages = new LinkedHashMap<>();
  private final Map<Message.Stream, TreeMap<Long, Message>> streams = new HashMap<>();
  private final Map<String, Sub> subs = new LinkedHashMap<>();
  private final List<List<Message>> groups = new ArrayList<>();
  private boolean crashed;
  private boolean cut;
  private int deliveries;

  Sub sub(String name, String destination, boolean exists) {
    return subs.computeIfAbsent(name, key -> new Sub(name, destination, exists));
  }

  List<Sub> subs() {
    return new ArrayList<>(subs.values());
  }

  int deliveries() {
    return deliveries;
  }

  int messages() {
    return messages.size();
  }

  void crashed() {
    crashed = true;
    for (Message message : messages.values()) {
      if (!message.persistent) {
        subs.values().forEach(sub -> sub.fate(message.id).due = false);
      }
    }
  }

  /** A client broke off: one message on its way to it may count as seen. */
  void cut() {
    cut = true;
  }

  /** The broker ended in order; what it held in memory only is gone. */
  void stopped() {
    crashed();
  }

  /** The send goes to the broker for the first time. */
  void sending(Message message) {
    messages.put(message.id, message);
    streams.computeIfAbsent(message.stream, key -> new TreeMap<>()).put(message.sequence, message);
    for (Sub sub : subs.values()) {
      if (sub.exists && sub.destination.equals(message.stream.destination())) {
        sub.fate(message.id).due = true;
      }
    }
  }

  void stored(Message message) {
    if (message.status == Status.REFUSED) {
      throw new Broken(message + " was said to be refused and is now said to be stored");
    }
    message.status = Status.STORED;
  }

  void refused(Message message) {
    if (message.status == Status.STORED) {
      throw new Broken(message + " was said to be stored and is now said to be refused");
    }
    message.status = Status.REFUSED;
  }

  /** A deletion on its way: nothing that was sent before need come any more. */
  Deletion deleting(String destination) {
    List<Fate> stored = new ArrayList<>();
    for (Sub sub : subs.values()) {
      if (sub.destination.equals(destination)) {
        sub.fates.forEach(
            (id, fate) -> {
              fate.due = false;
              if (messages.get(id).status == Status.STORED) {
                stored.add(fate);
              }
            });
      }
    }
    return () -> stored.forEach(fate -> fate.gone = true);
  }

  /** What had been stored before it must not come once it is confirmed. */
  interface Deletion {
    void confirmed();
  }

  void delivered(View view, String id, int deliveryCount, boolean alone) {
    deliveries++;
    Message message = messages.get(id);
    if (message == null) {
      throw new Broken(view.sub.name + " was delivered " + id + ", which nobody sent");
    }
    Fate fate = view.sub.fate(id);
    String what = view.sub.name + " was delivered " + message;
    if (message.status == Status.REFUSED) {
      throw new Broken(what + ", which was refused or rolled back");
    }
    if (fate.gone) {
      throw new Broken(what + " although its destination was deleted since");
    }
    if (fate.ackConfirmed) {
      throw new Broken(what + " although its acknowledgement was confirmed");
    }
    if (!view.here.add(id)) {
      throw new Broken(what + " twice to the same consumer");
    }
    if (fate.handed && deliveryCount < 2) {
      throw new Broken(what + " as new although an application was handed it before");
    }
    if (!crashed && !cut && fate.delivered == 0 && deliveryCount != 1) {
      throw new Broken(what + " with delivery count " + deliveryCount + " the first time");
    }
    fate.delivered++;
    view.returned.remove(id);
    if (alone) {
      checkOrder(view, message);
    }
  }

  private void checkOrder(View view, Message message) {
    for (Message earlier : streams.get(message.stream).headMap(message.sequence).values()) {
      Fate fate = view.sub.fate(earlier.id);
      boolean known = earlier.status == Status.STORED || fate.delivered > 0;
      if (known
          && fate.due
          && !fate.ackSent
          && !view.here.contains(earlier.id)
          && !view.returned.contains(earlier.id)) {
        throw new Broken(
            view.sub.name + " was delivered " + message + " while " + earlier + " still waits");
      }
    }
  }

  /** These are sent in one transaction: all of them or none. */
  void atomic(List<Message> sends) {
    groups.add(List.copyOf(sends));
  }

  /** All clients are gone and everything was drained into {@code drained}. */
  void settle(Sub sub, Set<String> drained) {
    for (Message message : messages.values()) {
      if (!sub.destination.equals(message.stream.destination())) {
        continue;
      }
      Fate fate = sub.fate(message.id);
      boolean must =
          fate.due && !fate.ackSent && (message.status == Status.STORED || fate.delivered > 0);
      if (must && !drained.contains(message.id)) {
        throw new Broken(sub.name + " has lost " + message);
      }
    }
    for (List<Message> group : groups) {
      long there =
          group.stream()
              .filter(message -> sub.destination.equals(message.stream.destination()))
              .filter(message -> sub.fate(message.id).delivered > 0)
              .count();
      boolean all = group.stream().allMatch(message -> sub.fate(message.id).due);
      if (all && there != 0 && there != group.size()) {
        throw new Broken(sub.name + " got only " + there + " of the transaction " + group);
      }
    }
  }
}
