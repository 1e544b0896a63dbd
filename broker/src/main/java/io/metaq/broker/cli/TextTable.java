package io.metaq.broker.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rows of named values in columns as wide as their longest value. */
final class TextTable {
  private final List<String> columns;

  TextTable(List<String> columns) {
    this.columns = columns;
  }

  void print(List<Map<String, String>> rows, PrintWriter out) {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      String column = columns.get(i);
      widths[i] =
          rows.stream()
              .mapToInt(row -> row.getOrDefault(column, "").length())
              .reduce(column.length(), Math::max);
    }
    line(out, widths, columns.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList());
    for (Map<String, String> row : rows) {
      line(out, widths, columns.stream().map(name -> row.getOrDefault(name, "")).toList());
    }
    out.flush();
  }

  private static void line(PrintWriter out, int[] widths, List<String> values) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(values.get(i));
      if (i < widths.length - 1) {
        line.append(" ".repeat(widths[i] - values.get(i).length() + 2));
      }
    }
    out.println(line.toString().stripTrailing());
  }
}
