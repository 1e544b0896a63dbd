package io.metaq.broker.core;

/** Names with {@code *} for one level and {@code >} for all below; levels are parted by dots. */
final class Wildcard {
  private Wildcard() {}

  static boolean isPattern(String name) {
    return name.indexOf('*') >= 0 || name.indexOf('>') >= 0;
  }

  static boolean matches(String pattern, String name) {
    String[] levels = pattern.split("\\.", -1);
    String[] parts = name.split("\\.", -1);
    for (int i = 0; i < levels.length; i++) {
      if (levels[i].equals(">")) {
        return parts.length > i;
      }
      if (i >= parts.length || !levels[i].equals("*") && !levels[i].equals(parts[i])) {
        return false;
      }
    }
    return parts.length == levels.length;
  }
}
