package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Workload;
import io.metaq.tck.peers.process.Product;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BiFunction;

/**
 * Bars of the products for each workload, as an SVG. The longest bar of a workload takes the full
 * width, since workloads differ by factors of a hundred; the numbers stand beside the bars.
 */
public final class BarChart {

  private static final int LEFT = 60;
  private static final int BAR = 12;
  private static final int GAP = 10;
  private static final int FULL = 440;
  private static final int WIDTH = 640;
  private static final int TOP = 52;

  private final StringBuilder svg = new StringBuilder();

  private BarChart() {}

  /** Draws the figure of each workload that has one; {@code unit} stands behind the numbers. */
  public static String draw(
      String title,
      String unit,
      Results results,
      BiFunction<Workload, Product, OptionalDouble> figure) {
    BarChart chart = new BarChart();
    int y = TOP;
    for (Workload workload : results.workloads()) {
      y = chart.group(workload, unit, results.products(workload), figure, y);
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
        font-family="sans-serif" font-size="11">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="10" y="18" font-size="14">%s</text>
        %s%s</svg>
        """
        .formatted(WIDTH, y, WIDTH, y, title, legend(), chart.svg);
  }

  private int group(
      Workload workload,
      String unit,
      List<Product> products,
      BiFunction<Workload, Product, OptionalDouble> figure,
      int top) {
    double longest =
        products.stream()
            .mapToDouble(product -> figure.apply(workload, product).orElse(0))
            .max()
            .orElse(0);
    if (longest <= 0) {
      return top;
    }
    int y = top;
    add("<text x=\"10\" y=\"%d\">%s</text>%n", y + BAR - 2, workload.label());
    for (Product product : products) {
      double value = figure.apply(workload, product).orElse(0);
      double width = value / longest * FULL;
      add(
          "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
          LEFT, y, width, BAR - 1, colour(product));
      add(
          "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
          LEFT + width + 5,
          y + BAR - 2,
          value > 0 ? String.format(Locale.ROOT, "%,.0f%s", value, unit) : "failed");
      y += BAR;
    }
    return y + GAP;
  }

  private static String legend() {
    StringBuilder legend = new StringBuilder();
    int x = LEFT;
    for (Product product : Product.values()) {
      legend.append(
          "<rect x=\"%d\" y=\"28\" width=\"11\" height=\"11\" fill=\"%s\"/><text x=\"%d\" y=\"38\">%s</text>\n"
              .formatted(x, colour(product), x + 16, product.title()));
      x += 90;
    }
    return legend.toString();
  }

  private static String colour(Product product) {
    return switch (product) {
      case METAQ -> "#1b6ca8";
      case ARTEMIS -> "#e08e45";
      case CLASSIC -> "#9a9a9a";
    };
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
