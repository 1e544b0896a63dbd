package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Figure;
import io.metaq.tck.peers.Workload;
import io.metaq.tck.peers.process.Contender;
import io.metaq.tck.peers.process.DiskProbe;
import io.metaq.tck.peers.process.Product;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds, and their medians. */
public final class Results {

  private final Map<Workload, Map<Product, List<Contender.Outcome>>> outcomes =
      new EnumMap<>(Workload.class);
  private final List<DiskProbe.Result> probes = new ArrayList<>();

  /** Adds what a round brought. */
  public void measured(Product product, Workload workload, Contender.Outcome outcome) {
    outcomes
        .computeIfAbsent(workload, key -> new EnumMap<>(Product.class))
        .computeIfAbsent(product, key -> new ArrayList<>())
        .add(outcome);
  }

  /** Adds what the disk did. */
  public void probed(DiskProbe.Result result) {
    probes.add(result);
  }

  public List<DiskProbe.Result> probes() {
    return Collections.unmodifiableList(probes);
  }

  /** Workloads that were run, in order. */
  public List<Workload> workloads() {
    return List.copyOf(outcomes.keySet());
  }

  /** Products that met a workload. */
  public List<Product> products(Workload workload) {
    return List.copyOf(outcomes.get(workload).keySet());
  }

  /** All rounds, as they came. */
  public List<Contender.Outcome> rounds(Workload workload, Product product) {
    return outcomes.get(workload).getOrDefault(product, List.of());
  }

  /** Over the rounds that have the figure. */
  public OptionalDouble median(Workload workload, Product product, Figure figure) {
    if (!outcomes.containsKey(workload)) {
      return OptionalDouble.empty();
    }
    return median(
        rounds(workload, product).stream()
            .map(outcome -> outcome.figures().get(figure))
            .filter(value -> value != null && !value.isNaN())
            .toList());
  }

  /** Of the probes. */
  public double probe(ToDoubleFunction<DiskProbe.Result> figure) {
    return median(probes.stream().map(figure::applyAsDouble).toList()).orElse(0);
  }

  /** Broker and client together. */
  public OptionalDouble cpu(Workload workload, Product product) {
    OptionalDouble broker = median(workload, product, Figure.BROKER_CPU);
    OptionalDouble client = median(workload, product, Figure.CLIENT_CPU);
    return broker.isPresent() && client.isPresent()
        ? OptionalDouble.of(broker.getAsDouble() + client.getAsDouble())
        : OptionalDouble.empty();
  }

  /** What went wrong, by product and workload, each thing once. */
  public Map<String, String> failures() {
    Map<String, String> failures = new LinkedHashMap<>();
    for (Workload workload : workloads()) {
      for (Product product : products(workload)) {
        for (Contender.Outcome outcome : rounds(workload, product)) {
          outcome
              .failure()
              .ifPresent(text -> failures.put(workload.label() + ", " + product.title(), text));
        }
      }
    }
    return failures;
  }

  static OptionalDouble median(List<Double> values) {
    if (values.isEmpty()) {
      return OptionalDouble.empty();
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return OptionalDouble.of(
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
  }
}
