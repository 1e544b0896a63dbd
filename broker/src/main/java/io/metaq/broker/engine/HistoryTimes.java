package io.metaq.broker.engine;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.metaq.broker.core.Core;
import io.metaq.broker.core.DestinationSettings.History;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import java.util.TreeSet;

/**
 * Has the core look for old history at the times of day that the configuration names, in the
 * system's time zone. A time that passes while the broker is down is not made up for. Loop thread
 * only.
 */
final class HistoryTimes {
  /** So that a clock that was set is noticed. */
  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final Set<String> all = new TreeSet<>();
  private final Core core;
  private final Loop loop;
  private final EngineClock clock;
  private final Runnable afterwards;
  private boolean ended;

  /**
   * @param afterwards what follows every input of the core
   */
  HistoryTimes(EngineParts parts, Runnable afterwards) {
    parts.settings().declarations().stream()
        .map(declaration -> declaration.settings().history())
        .filter(History::isKept)
        .forEach(history -> all.add(history.when()));
    this.core = parts.core();
    this.loop = parts.threads().loop();
    this.clock = parts.clock();
    this.afterwards = afterwards;
  }

  void start() {
    CronParser parser =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    for (String when : all) {
      await(when, ExecutionTime.forCron(parser.parse(when)));
    }
  }

  void end() {
    ended = true;
  }

  private void await(String when, ExecutionTime times) {
    times
        .nextExecution(Instant.ofEpochMilli(clock.now()).atZone(ZoneId.systemDefault()))
        .ifPresent(next -> await(when, times, next.toInstant().toEpochMilli()));
  }

  private void await(String when, ExecutionTime times, long due) {
    long wait = due - clock.now();
    if (wait > 0) {
      loop.schedule(() -> proceed(when, times, due), Math.min(wait, LONGEST_WAIT_MILLIS));
    } else {
      core.dropHistory(when, clock.now());
      afterwards.run();
      await(when, times);
    }
  }

  private void proceed(String when, ExecutionTime times, long due) {
    if (!ended) {
      await(when, times, due);
    }
  }
}
