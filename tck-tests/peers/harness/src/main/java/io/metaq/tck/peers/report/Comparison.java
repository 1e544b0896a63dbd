package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Figure;
import io.metaq.tck.peers.Workload;
import io.metaq.tck.peers.process.Product;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/** MetaQ against the better peer, figure by figure: the better one may be another for each. */
final class Comparison {

  private final Results results;

  Comparison(Results results) {
    this.results = results;
  }

  /** Above 1 is more than the better peer. */
  OptionalDouble rate(Workload workload) {
    Figure figure = workload == Workload.W8 ? Figure.DRAIN_RATE : Figure.RATE;
    return ratio(product -> results.median(workload, product, figure), Math::max);
  }

  /** Below 1 is less than the better peer. */
  OptionalDouble cpu(Workload workload) {
    return ratio(product -> results.cpu(workload, product), Math::min);
  }

  /** Below 1 is less than the better peer. */
  OptionalDouble of(Workload workload, Figure lessIsBetter) {
    return ratio(product -> results.median(workload, product, lessIsBetter), Math::min);
  }

  private static OptionalDouble ratio(
      Function<Product, OptionalDouble> figure, BinaryOperator<Double> better) {
    OptionalDouble ours = figure.apply(Product.METAQ);
    OptionalDouble best =
        Stream.of(Product.ARTEMIS, Product.CLASSIC)
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .reduce(better)
            .map(OptionalDouble::of)
            .orElse(OptionalDouble.empty());
    return ours.isPresent() && best.isPresent() && best.getAsDouble() > 0
        ? OptionalDouble.of(ours.getAsDouble() / best.getAsDouble())
        : OptionalDouble.empty();
  }
}
