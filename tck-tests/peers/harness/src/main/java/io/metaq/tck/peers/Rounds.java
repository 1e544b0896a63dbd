package io.metaq.tck.peers;

import io.metaq.tck.peers.process.Contender;
import io.metaq.tck.peers.process.DiskProbe;
import io.metaq.tck.peers.report.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Goes through the workloads, and in each through the products, so that all of them meet the
 * machine in the same state; who begins changes from round to round.
 */
final class Rounds {

  private static final Duration PROBE = Duration.ofSeconds(1);
  private static final Set<Workload> CHANGING = EnumSet.of(Workload.W8, Workload.W11, Workload.W12);

  private static final List<Workload> WARMING = List.of(Workload.W2, Workload.W4, Workload.W3);

  private final Settings settings;
  private final List<Workload> workloads;
  private final List<Contender> contenders;
  private final DiskProbe probe;
  private final Progress progress;
  private final Results results;

  Rounds(
      Settings settings,
      List<Workload> workloads,
      List<Contender> contenders,
      Path data,
      Progress progress,
      Results results) {
    this.settings = settings;
    this.workloads = workloads;
    this.contenders = contenders;
    this.probe = new DiskProbe(data);
    this.progress = progress;
    this.results = results;
  }

  /**
   * All rounds of the streams first, on brokers that get warmer; then of what leaves its broker in
   * another state and has to be given a new one.
   */
  void run() throws IOException, InterruptedException {
    warmUp();
    progress.expect(settings.rounds() * workloads.size() * contenders.size());
    rounds(workloads.stream().filter(workload -> !CHANGING.contains(workload)).toList());
    rounds(workloads.stream().filter(CHANGING::contains).toList());
  }

  /**
   * Compilers need more than the seconds before a measurement, and some brokers more than others.
   */
  private void warmUp() throws IOException, InterruptedException {
    for (Workload workload : WARMING) {
      for (Contender contender : contenders) {
        progress.stage("warming up " + contender.product().title() + " with " + workload.label());
        contender.ensureRunning();
        contender.step(workload.label() + " " + settings.warmup() + " " + settings.seconds() / 2);
      }
    }
  }

  private void rounds(List<Workload> some) throws IOException, InterruptedException {
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Workload workload : some) {
        results.probed(probe.run(PROBE));
        List<Contender> order = new ArrayList<>(contenders);
        Collections.rotate(order, round - 1);
        for (Contender contender : order) {
          progress.begin(round, workload.label(), contender.product().title());
          Contender.Outcome outcome = measure(contender, workload, round);
          results.measured(contender.product(), workload, outcome);
          progress.end(outcome);
          if (CHANGING.contains(workload)) {
            contender.forget();
          }
        }
      }
    }
  }

  private Contender.Outcome measure(Contender contender, Workload workload, int round)
      throws InterruptedException {
    try {
      contender.ensureRunning();
      return switch (workload) {
        case W8 -> backlog(contender, "W8." + round);
        case W11 -> queues(contender);
        default -> stream(contender, workload);
      };
    } catch (IOException e) {
      return new Contender.Outcome(Map.of(), Optional.of(e.getMessage()));
    }
  }

  private Contender.Outcome stream(Contender contender, Workload workload)
      throws IOException, InterruptedException {
    Contender.Outcome outcome =
        contender.step(workload.label() + " " + settings.warmup() + " " + settings.seconds());
    outcome.figures().put(Figure.HEAP_MB, contender.broker().heap() / 1e6);
    return outcome;
  }

  private Contender.Outcome backlog(Contender contender, String queue)
      throws IOException, InterruptedException {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    // In halves: what a broker loads and caches once, however much waits, is there after the first.
    Contender.Outcome half = contender.step("fill " + queue + " " + settings.waiting() / 2);
    long halfFull = contender.broker().heap();
    Contender.Outcome filled = contender.step("fill " + queue + " " + settings.waiting() / 2);
    figures.putAll(filled.figures());
    double added = figures.getOrDefault(Figure.WAITING, 0.0);
    double waiting = half.figures().getOrDefault(Figure.WAITING, 0.0) + added;
    figures.put(Figure.WAITING, waiting);
    if (added == 0) {
      return new Contender.Outcome(figures, half.failure().or(filled::failure));
    }
    long full = contender.broker().heap();
    figures.put(Figure.HEAP_MB, full / 1e6);
    figures.put(Figure.HEAP_EACH, Math.max(0, full - halfFull) / added);
    contender.broker().stop();
    contender.broker().start();
    Contender.Outcome first =
        contender.step("first " + queue + " " + contender.broker().startedAt());
    figures.putAll(first.figures());
    Contender.Outcome drained = contender.step("drain " + queue + " " + (long) waiting);
    figures.putAll(drained.figures());
    return new Contender.Outcome(
        figures, half.failure().or(filled::failure).or(first::failure).or(drained::failure));
  }

  private Contender.Outcome queues(Contender contender) throws IOException, InterruptedException {
    long before = contender.broker().heap();
    Contender.Outcome outcome = contender.step("queues " + settings.queues());
    double made = outcome.figures().getOrDefault(Figure.QUEUES, 0.0);
    if (made > 0) {
      long after = contender.broker().heap();
      outcome.figures().put(Figure.HEAP_MB, after / 1e6);
      outcome.figures().put(Figure.HEAP_EACH, Math.max(0, after - before) / made);
    }
    return outcome;
  }
}
