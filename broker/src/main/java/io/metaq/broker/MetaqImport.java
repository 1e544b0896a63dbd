package io.metaq.broker;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.core.Adoption.Adopted;
import io.metaq.broker.store.FileDisk;
import io.metaq.broker.store.ImportMark;
import io.metaq.broker.store.MetaqDirectory;
import io.metaq.broker.store.RedoFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes the partitions of a MetaQ 1.4 broker over into a data directory of this one. Everything is
 * checked before anything is written. Both brokers must be stopped.
 */
public final class MetaqImport {
  private static final int BATCH_BYTES = 1 << 20;

  private final BrokerConfig target;
  private final Consumer<String> out;

  /**
   * @param target configuration of the broker that is to serve the messages
   * @param out told what happens, in lines for an operator
   */
  public MetaqImport(BrokerConfig target, Consumer<String> out) {
    this.target = target;
    this.out = out;
  }

  private record Batched(boolean newSegment, ByteBuffer record) {}

  /**
   * Imports all topics.
   *
   * @param dataPath MetaQ's
   * @param dataLogPath MetaQ's; by default the same
   * @param subscriptions by topic, the names of the shared durable subscriptions that get all its
   *     messages; a topic without any becomes a queue of its name
   * @throws IOException with a message for the operator; if it comes while nothing was written yet,
   *     the target is as it was, else no broker starts on it
   */
  public void run(Path dataPath, Path dataLogPath, Map<String, Set<String>> subscriptions)
      throws IOException {
    MetaqDirectory source = new MetaqDirectory(new FileDisk(dataPath), out);
    new RedoFiles(new FileDisk(dataLogPath), source).check();
    for (String topic : subscriptions.keySet()) {
      if (!source.topics().contains(topic)) {
        throw new IOException(
            "there is no topic " + topic + " in " + dataPath + "; there is " + source.topics());
      }
    }
    Map<String, List<Long>> topics = new LinkedHashMap<>();
    MetaqDirectory quiet = new MetaqDirectory(new FileDisk(dataPath), note -> {});
    for (String topic : source.topics()) {
      List<Long> starts = source.starts(topic);
      topics.put(topic, starts);
      for (int partition = 0; partition < starts.size(); partition++) {
        source.records(topic, partition, (newSegment, record) -> {});
      }
    }
    try (OfflineBroker broker = new OfflineBroker(target)) {
      List<Adopted> all = new ArrayList<>();
      topics.forEach(
          (topic, starts) ->
              all.add(new Adopted(topic, starts, subscriptions.getOrDefault(topic, Set.of()))));
      ImportMark mark = new ImportMark(new FileDisk(target.dataPath()));
      mark.set(topics.keySet());
      begin(all, broker, mark);
      for (Map.Entry<String, List<Long>> topic : topics.entrySet()) {
        long messages = 0;
        for (int partition = 0; partition < topic.getValue().size(); partition++) {
          messages += copy(quiet, topic.getKey(), partition, broker);
        }
        out.accept(
            topic.getKey()
                + ": "
                + topic.getValue().size()
                + " partition(s), "
                + messages
                + " message(s)");
      }
      mark.clear();
    }
  }

  private static void begin(List<Adopted> all, OfflineBroker broker, ImportMark mark)
      throws IOException {
    try {
      broker.adopt(adoption -> adoption.begin(all));
    } catch (IOException e) {
      if (e.getCause() instanceof IllegalArgumentException) { // Refused before anything was made.
        mark.clear();
      }
      throw e;
    }
  }

  private static long copy(MetaqDirectory source, String topic, int partition, OfflineBroker broker)
      throws IOException {
    List<Batched> batch = new ArrayList<>();
    int[] bytes = {0};
    long count =
        source.records(
            topic,
            partition,
            (newSegment, record) -> {
              batch.add(new Batched(newSegment, record));
              bytes[0] += record.remaining();
              if (bytes[0] >= BATCH_BYTES) {
                adopt(topic, partition, batch, broker);
                bytes[0] = 0;
              }
            });
    adopt(topic, partition, batch, broker);
    return count;
  }

  private static void adopt(String topic, int partition, List<Batched> batch, OfflineBroker broker)
      throws IOException {
    List<Batched> records = List.copyOf(batch);
    batch.clear();
    broker.adopt(
        adoption ->
            records.forEach(
                next -> adoption.append(topic, partition, next.newSegment(), next.record())));
  }
}
