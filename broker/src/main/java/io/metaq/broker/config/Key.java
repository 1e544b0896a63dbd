package io.metaq.broker.config;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One key of {@code server.ini}: what a reader of the file and a reader of the manual must know of
 * it. The table in {@code docs/configuration.md} is held to these values by a test.
 *
 * @param <T> what the text turns into
 * @param name as written in the file
 * @param places sections it may stand in; a destination inherits what {@code [system]} says
 * @param unit of the value, or what kind of value it is
 * @param defaultText as one would write it in the file; empty for none
 * @param range of the values accepted
 * @param meaning for the manual
 * @param converter from the text of the file; throws IllegalArgumentException saying what would be
 *     right
 */
record Key<T>(
    String name,
    Set<Place> places,
    String unit,
    String defaultText,
    String range,
    String meaning,
    Converter<T> converter) {

  /** The kinds of section. */
  enum Place {
    SYSTEM("system"),
    ZOOKEEPER("zookeeper"),
    TOPIC("topic"),
    QUEUE("queue");

    private final String word;

    Place(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** Turns the text of the file into a value; relative paths start at {@code folder}. */
  @FunctionalInterface
  interface Converter<T> {
    T convert(String text, Path folder);
  }

  private static final Pattern DECIMAL = Pattern.compile("\\d+(\\.\\d+)?");

  static Key<Integer> integer(
      String name,
      Set<Place> places,
      String unit,
      String standard,
      int min,
      int max,
      String meaning) {
    return whole(name, places, unit, standard, min, max, meaning, Math::toIntExact);
  }

  static Key<Duration> millis(
      String name, Set<Place> places, String standard, long min, long max, String meaning) {
    return whole(name, places, "ms", standard, min, max, meaning, Duration::ofMillis);
  }

  /** A count with -1 for "no limit"; 0 is refused, since it has meant both in other brokers. */
  static Key<Long> limit(
      String name, Set<Place> places, String unit, String standard, long max, String meaning) {
    return new Key<>(
        name,
        places,
        unit,
        standard,
        "-1 (no limit) or 1 to " + max,
        meaning,
        (text, folder) -> {
          long value = IntegerExpression.evaluate(text);
          if (value != -1 && (value < 1 || value > max)) {
            throw new IllegalArgumentException(
                value + " is out of range; write -1 for no limit or 1 to " + max);
          }
          return value;
        });
  }

  static <T> Key<T> whole(
      String name,
      Set<Place> places,
      String unit,
      String standard,
      long min,
      long max,
      String meaning,
      Function<Long, T> made) {
    String range = min + " to " + max;
    return new Key<>(
        name,
        places,
        unit,
        standard,
        range,
        meaning,
        (text, folder) -> {
          long value = IntegerExpression.evaluate(text);
          if (value < min || value > max) {
            throw new IllegalArgumentException(
                value + " is out of range; " + range + " is allowed");
          }
          return made.apply(value);
        });
  }

  static Key<Double> decimal(
      String name, Set<Place> places, String standard, double min, double max, String meaning) {
    String range = number(min) + " to " + number(max);
    return new Key<>(
        name,
        places,
        "number",
        standard,
        range,
        meaning,
        (text, folder) -> {
          double value = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
          if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                "'" + text + "' is no number in range; " + range + " is allowed");
          }
          return value;
        });
  }

  static Key<Boolean> bool(String name, Set<Place> places, String standard, String meaning) {
    return choice(name, places, standard, meaning, Boolean::valueOf, "true", "false");
  }

  static <T> Key<T> choice(
      String name,
      Set<Place> places,
      String standard,
      String meaning,
      Function<String, T> made,
      String... words) {
    String range = Arrays.stream(words).collect(Collectors.joining(", "));
    return new Key<>(
        name,
        places,
        "word",
        standard,
        range,
        meaning,
        (text, folder) -> {
          if (!Arrays.asList(words).contains(text)) {
            throw new IllegalArgumentException("'" + text + "' is none of " + range);
          }
          return made.apply(text);
        });
  }

  static Key<String> text(
      String name, Set<Place> places, String unit, String standard, String meaning) {
    return new Key<>(
        name,
        places,
        unit,
        standard,
        "not empty",
        meaning,
        (text, folder) -> {
          if (text.isEmpty()) {
            throw new IllegalArgumentException("it has no value");
          }
          return text;
        });
  }

  static Key<Optional<String>> optionalText(
      String name, Set<Place> places, String unit, String standard, String meaning) {
    return new Key<>(
        name,
        places,
        unit,
        standard,
        "may be empty",
        meaning,
        (text, folder) -> Optional.of(text).filter(t -> !t.isEmpty()));
  }

  /** A folder or file; {@code ~} is the home of the user who runs the broker. */
  static Key<Path> path(String name, Set<Place> places, String standard, String meaning) {
    return new Key<>(
        name, places, "path", standard, "not empty", meaning, (text, folder) -> path(text, folder));
  }

  static Key<Optional<Path>> optionalPath(
      String name, Set<Place> places, String standard, String meaning) {
    return new Key<>(
        name,
        places,
        "path",
        standard,
        "may be empty",
        meaning,
        (text, folder) -> text.isEmpty() ? Optional.empty() : Optional.of(path(text, folder)));
  }

  private static Path path(String text, Path folder) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it has no value");
    }
    String expanded =
        text.equals("~") || text.startsWith("~/")
            ? System.getProperty("user.home") + text.substring(1)
            : text;
    return folder.resolve(expanded).toAbsolutePath().normalize();
  }

  static Key<String> cron(String name, Set<Place> places, String standard, String meaning) {
    CronParser parser =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    return new Key<>(
        name,
        places,
        "cron",
        standard,
        "a Quartz expression",
        meaning,
        (text, folder) -> parser.parse(text).asString());
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
