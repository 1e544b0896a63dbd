package io.metaq.broker.engine;

import java.util.ArrayList;
import java.util.List;

/** Answers {@code stats} in MetaQ's words: one line a figure, its name and its value. */
final class Statistics {
  private final EngineParts parts;

  Statistics(EngineParts parts) {
    this.parts = parts;
  }

  /**
   * @param item a topic, one of MetaQ's words, or empty for the broker as a whole
   */
  List<String> lines(String item) {
    List<String> lines = new ArrayList<>();
    lines.add("pid " + ProcessHandle.current().pid());
    lines.add("broker_id " + parts.settings().brokerId());
    lines.add("version " + parts.settings().version());
    return lines;
  }
}
