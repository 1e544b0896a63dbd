package io.metaq.broker.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds the known names closest to a mistyped one, by edit distance without regard to case. */
final class NearNames {

  private static final int SHOWN = 3;

  private NearNames() {}

  /** "; did you mean a, b or c?" or an empty string when nothing is near. */
  static String hint(String wrong, Collection<String> known) {
    int limit = Math.max(2, wrong.length() / 3);
    List<String> near =
        known.stream()
            .filter(name -> distance(wrong, name) <= limit)
            .sorted(
                Comparator.comparingInt((String name) -> distance(wrong, name))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(SHOWN)
            .toList();
    return near.isEmpty()
        ? ""
        : near.stream().collect(Collectors.joining(" or ", "; did you mean ", "?"));
  }

  private static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
