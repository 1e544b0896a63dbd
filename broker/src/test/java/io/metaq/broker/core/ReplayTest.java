package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.Redelivery;
import io.metaq.broker.core.DestinationSettings.WhenFull;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs: the same inputs make the same outputs, and a replay makes the same state. */
class ReplayTest {
  private static final int STEPS = 1000;

  /** One random run; the journal, everything sent and the end state tell what it did. */
  private static final class Run {
    private final CoreHarness harness =
        new CoreHarness(
            CoreHarness.with(
                new DestinationSettings(
                    2,
                    4000,
                    false,
                    0,
                    DestinationSettings.Access.OPEN,
                    DestinationSettings.History.NONE,
                    new Limit(200, 0, 0, 20_000, WhenFull.FAIL, 1000),
                    new Redelivery(4, 50, 2, 500, 20),
                    "DLQ",
                    "EXP")));
    private final Random random;
    private final List<Client> clients = new ArrayList<>();
    private int sockets;
    List<SnapshotUnit> middle;
    long middleIndex;

    private Run(long seed) {
      random = new Random(seed);
      for (int i = 0; i < 3; i++) {
        connect("c" + i);
      }
      for (int step = 0; step < STEPS; step++) {
        step();
        if (step == STEPS / 2) {
          middle = harness.snapshot();
          middleIndex = harness.journal.size();
        }
      }
      harness.settle();
    }

    private void connect(String clientId) {
      sockets++;
      clients.add(harness.client(sockets, new UUID(5, sockets), 0, clientId + "-" + sockets));
    }

    private void step() {
      Client client = clients.get(random.nextInt(clients.size()));
      switch (random.nextInt(14)) {
        case 0, 1, 2, 3, 4 -> send(client);
        case 5 -> consume(client);
        case 6, 7 -> {
          if (client.latest() > 0) {
            int consumer = 1 + random.nextInt(client.latest());
            client.oneWay(
                new Credit(consumer, random.nextInt(20), 100_000, random.nextInt(4) == 0));
          }
        }
        case 8, 9 -> acknowledge(client);
        case 10 -> client.request(new Release(random.nextBoolean(), ranges(client)));
        case 11 -> client.request(new Recover(1, ranges(client)));
        case 12 -> {
          if (random.nextInt(5) == 0) {
            client.disconnect();
            clients.remove(client);
            connect("d");
          } else if (client.latest() > 0) {
            client.request(
                new CloseConsumer(1 + random.nextInt(client.latest()), random.nextInt(5)));
          }
        }
        default -> harness.pass(random.nextInt(300));
      }
      if (random.nextInt(3) == 0) {
        harness.settle();
      }
      if (random.nextInt(10) == 0) {
        harness.written();
      }
    }

    private void send(Client client) {
      boolean queue = random.nextBoolean();
      String name = (queue ? "q" : "t") + random.nextInt(2);
      long id = client.resolve(queue ? DestinationKind.QUEUE : DestinationKind.TOPIC, name);
      ByteBuffer message =
          CoreHarness.message(
              "m" + random.nextInt(1000),
              random.nextInt(3) == 0 ? random.nextInt(10) : 4,
              random.nextInt(4) != 0,
              random.nextInt(5) == 0 ? "g" + random.nextInt(3) : null,
              null,
              Map.of("k", random.nextInt(3)));
      long timeToLive = random.nextInt(5) == 0 ? random.nextInt(2000) : 0;
      long delay = random.nextInt(6) == 0 ? random.nextInt(2000) : 0;
      client.request(client.sendFrame(id, message, timeToLive, delay));
    }

    private void consume(Client client) {
      String selector = random.nextInt(3) == 0 ? "k = " + random.nextInt(3) : null;
      int n = random.nextInt(2);
      switch (random.nextInt(5)) {
        case 0, 1 ->
            client.tryConsume(
                SubscriptionKind.QUEUE,
                DestinationKind.QUEUE,
                "q" + n,
                null,
                selector,
                false,
                random.nextInt(8) == 0,
                random.nextInt(2));
        case 2 ->
            client.tryConsume(
                SubscriptionKind.DURABLE,
                DestinationKind.TOPIC,
                "t" + n,
                "s" + n,
                selector,
                random.nextBoolean(),
                false,
                0);
        case 3 ->
            client.tryConsume(
                SubscriptionKind.SHARED_NON_DURABLE,
                DestinationKind.TOPIC,
                "t" + n,
                "s",
                null,
                false,
                false,
                0);
        default ->
            client.tryConsume(
                SubscriptionKind.BROWSER,
                DestinationKind.QUEUE,
                "q" + n,
                null,
                selector,
                false,
                false,
                0);
      }
    }

    private List<Range> ranges(Client client) {
      List<Deliver> delivered = client.deliveries();
      List<Range> ranges = new ArrayList<>();
      for (int i = 0; i < 5 && !delivered.isEmpty(); i++) {
        Deliver some = delivered.get(Math.max(0, delivered.size() - 1 - random.nextInt(20)));
        ranges.add(CoreHarness.range(some));
      }
      return ranges;
    }

    private void acknowledge(Client client) {
      List<Range> ranges = ranges(client);
      if (random.nextBoolean()) {
        client.request(new Ack(0, 0, ranges));
      } else {
        client.oneWay(new Ack(random.nextInt(100), 0, ranges));
      }
    }
  }

  /** What of the state is durable, in words; when messages expire is looked after, not recorded. */
  private static Map<String, String> state(CoreHarness harness) {
    Map<String, String> state = new TreeMap<>();
    for (Destination destination : harness.core.parts().destinations.all()) {
      StringBuilder words = new StringBuilder();
      for (Partition partition : destination.partitions) {
        describe(partition, words);
      }
      if (destination.delayed != null) {
        describe(destination.delayed, words);
        words.append(" delayed ").append(destination.delays.size());
      }
      for (Subscription subscription : destination.subscriptions) {
        if (subscription.durable) {
          describe(subscription, words);
        }
      }
      state.put(destination.toString() + " " + destination.id, words.toString());
    }
    return state;
  }

  private static void describe(Partition partition, StringBuilder words) {
    words.append("\n partition ").append(partition.number).append(' ').append(partition.first);
    words.append("..").append(partition.position()).append(' ').append(partition.bytes());
    for (int priority = 0; priority <= PriorityIndex.HIGHEST; priority++) {
      long found = partition.priorities.next(priority, partition.first, partition.next);
      while (priority != PriorityIndex.DEFAULT && found >= 0) {
        words.append(" p").append(priority).append('=').append(found);
        found = partition.priorities.next(priority, found + 1, partition.next);
      }
    }
  }

  private static void describe(Subscription subscription, StringBuilder words) {
    words.append("\n subscription ").append(subscription.id).append(' ').append(subscription.name);
    for (int lane = 0; lane < subscription.laneCount() - 1; lane++) {
      Subscription.LaneState state = subscription.lane(lane);
      words.append("\n  lane ").append(lane).append(" mark ").append(state.marked).append(" open");
      long end = subscription.destination.lane(lane).next;
      for (long at = state.acked.nextAbsent(0); at < end; at = state.acked.nextAbsent(at + 1)) {
        words.append(' ').append(at);
        Subscription.Attempts made = state.attempts.get(at);
        if (made != null) { // what was out counts after a replay
          words.append(made.isOut() ? new Subscription.Attempts(made.count() + 1, 0) : made);
        }
      }
      words.append(" attempts ").append(state.attempts.size());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theSameInputsMakeTheSameEntriesAndEffects(long seed) {
    Run one = new Run(seed); // I4
    Run two = new Run(seed);
    assertThat(one.harness.faults).isEmpty();
    assertThat(two.harness.journal).isEqualTo(one.harness.journal);
    assertThat(two.harness.sent).isEqualTo(one.harness.sent);
    assertThat(state(two.harness)).isEqualTo(state(one.harness));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void aReplayOfAllEntriesMakesTheLiveState(long seed) {
    Run run = new Run(seed); // I3
    final Map<String, String> live = state(run.harness);
    final int entries = run.harness.journal.size();
    run.harness.replayInto(List.of(), 0);
    assertThat(run.harness.journal).hasSize(entries);
    assertThat(state(run.harness)).isEqualTo(live);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void aSnapshotWithTheEntriesBehindItMakesTheLiveState(long seed) {
    Run run = new Run(seed);
    final Map<String, String> live = state(run.harness);
    run.harness.replayInto(run.middle, run.middleIndex);
    assertThat(state(run.harness)).isEqualTo(live);
    run.harness.replayInto(run.middle, run.middleIndex / 2);
    assertThat(state(run.harness)).isEqualTo(live);
  }
}
