package io.metaq.broker.engine;

import io.metaq.broker.core.DestinationFigures;
import io.metaq.broker.core.TransactionFigures;
import io.metaq.broker.store.JournalStats;
import java.util.ArrayList;
import java.util.List;

/** Answers {@code stats} in MetaQ's words: one line a figure, its name and its value. */
final class Statistics {
  private final EngineParts parts;
  private final long began;

  Statistics(EngineParts parts) {
    this.parts = parts;
    this.began = parts.clock().now();
  }

  /**
   * @param item a destination, {@code topics} for all of them, or empty for the broker as a whole
   */
  List<String> lines(String item) {
    List<String> lines = new ArrayList<>();
    switch (item) {
      case "" -> broker(lines);
      case "topics" -> parts.core().destinations().forEach(found -> destination(lines, found));
      default ->
          parts
              .core()
              .destination(item)
              .ifPresentOrElse(
                  found -> destination(lines, found),
                  () -> lines.add("error there is no destination " + item + "; try stats topics"));
    }
    return lines;
  }

  private void broker(List<String> lines) {
    JournalStats journal = parts.journal().stats();
    lines.add("pid " + ProcessHandle.current().pid());
    lines.add("broker_id " + parts.settings().brokerId());
    lines.add("version " + parts.settings().version());
    lines.add("uptime " + (parts.clock().now() - began) / 1000);
    lines.add("topics " + parts.core().destinations().size());
    lines.add("journal_batches " + journal.batches());
    lines.add("journal_bytes " + journal.bytes());
    lines.add("journal_forces " + journal.forces());
    lines.add("journal_force_micros " + journal.recentForceNanos() / 1000);
    TransactionFigures transactions = parts.core().transactions();
    lines.add("transactions_local " + transactions.local());
    lines.add("transactions_active " + transactions.active());
    lines.add("transactions_prepared " + transactions.prepared());
    lines.add("transactions_oldest_prepared " + transactions.oldestPreparedMillis() / 1000);
    lines.add("transactions_heuristic " + transactions.heuristic());
  }

  private static void destination(List<String> lines, DestinationFigures figures) {
    lines.add((figures.queue() ? "queue " : "topic ") + figures.name());
    lines.add("partitions " + figures.partitions());
    lines.add("message_count " + figures.received());
    lines.add("message_bytes " + figures.bytes());
    lines.add("message_waiting " + figures.waiting());
    lines.add("subscriptions " + figures.subscriptions());
    lines.add("consumers " + figures.consumers());
  }
}
