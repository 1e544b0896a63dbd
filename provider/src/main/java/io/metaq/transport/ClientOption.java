package io.metaq.transport;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Every option that may follow the {@code ?} of a {@code metaq:} URL, with unit, default and range.
 * The one place that knows them: the parser, the error for an unknown name and the table in {@code
 * docs/jms.md} are all made from it.
 */
public enum ClientOption {
  USER("user", Kind.TEXT, "", "", "User for the create methods without arguments."),
  PASSWORD("password", Kind.TEXT, "", "", "Password for the create methods without arguments."),
  CLIENT_ID(
      "clientId", Kind.TEXT, "", "", "Client id that every connection of the factory claims."),
  CONNECT_TIMEOUT(
      "connectTimeout",
      Kind.NUMBER,
      "ms",
      "10000",
      100,
      600_000,
      "Longest time to connect to one address and log in."),
  STARTUP_TIMEOUT(
      "startupTimeout",
      Kind.NUMBER,
      "ms",
      "0",
      0,
      86_400_000,
      "How long creating a connection goes on trying the addresses; 0 = each once."),
  REQUEST_TIMEOUT(
      "requestTimeout",
      Kind.NUMBER,
      "ms",
      "60000",
      0,
      86_400_000,
      "Longest wait for an answer on a connection that stands; 0 = no limit."),
  CLOSE_TIMEOUT(
      "closeTimeout",
      Kind.NUMBER,
      "ms",
      "5000",
      100,
      10_000,
      "Longest wait for the broker in close()."),
  HEARTBEAT(
      "heartbeat",
      Kind.NUMBER,
      "ms",
      "10000",
      100,
      3_600_000,
      "Longest silence on a connection; after two and a half of the broker's it counts as lost."),
  RECONNECT("reconnect", Kind.FLAG, "", "true", "Whether a lost connection is made again."),
  RECONNECT_DELAY(
      "reconnectDelay",
      Kind.NUMBER,
      "ms",
      "50",
      1,
      3_600_000,
      "Pause after the first failed round over the addresses."),
  RECONNECT_MAX_DELAY(
      "reconnectMaxDelay",
      Kind.NUMBER,
      "ms",
      "1000",
      1,
      3_600_000,
      "Where doubling that pause stops."),
  RECONNECT_TIMEOUT(
      "reconnectTimeout",
      Kind.NUMBER,
      "ms",
      "-1",
      -1,
      Integer.MAX_VALUE,
      "When reconnecting is given up and the ExceptionListener told; -1 = never."),
  PREFETCH(
      "prefetch",
      Kind.NUMBER,
      "messages",
      "500",
      0,
      1_000_000,
      "Messages sent ahead to a consumer; 0 = none, each receive asks for one."),
  PREFETCH_BYTES(
      "prefetchBytes",
      Kind.NUMBER,
      "bytes",
      "4194304",
      1,
      1 << 30,
      "Bytes sent ahead to a consumer, at least one message."),
  ACKNOWLEDGE_BATCH(
      "acknowledgeBatch",
      Kind.NUMBER,
      "messages",
      "64",
      1,
      100_000,
      "Messages that DUPS_OK_ACKNOWLEDGE acknowledges together."),
  SEND_WINDOW(
      "sendWindow",
      Kind.NUMBER,
      "bytes",
      "8388608",
      1,
      1 << 30,
      "Bytes of asynchronous or non-persistent sends under way, in a session, before a send waits."),
  NON_PERSISTENT_RECEIPTS(
      "nonPersistentReceipts",
      Kind.FLAG,
      "",
      "false",
      "Whether a non-persistent send waits for the broker to accept the message."),
  COMPRESS_ABOVE(
      "compressAbove",
      Kind.NUMBER,
      "bytes",
      "-1",
      -1,
      Integer.MAX_VALUE,
      "Bodies of more bytes are sent compressed; -1 = none."),
  COMPRESSION(
      "compression",
      "deflate",
      List.of("deflate", "lz4", "zstd"),
      "How they are compressed; lz4 and zstd need a library on both sides."),
  CONSUMER_PRIORITY(
      "consumerPriority",
      Kind.NUMBER,
      "",
      "0",
      -1000,
      1000,
      "Consumers of a higher priority are served before those of a lower one."),
  EXCLUSIVE_CONSUMERS(
      "exclusiveConsumers",
      Kind.FLAG,
      "",
      "false",
      "Whether one consumer of a queue gets all messages while it lives."),
  ALLOWED_CLASSES(
      "allowedClasses",
      Kind.TEXT,
      "",
      "",
      "Classes, and packages ending in .*, that an ObjectMessage may hold, separated by commas."),
  DENIED_CLASSES(
      "deniedClasses",
      Kind.TEXT,
      "",
      "",
      "Classes and packages refused even where allowedClasses names them."),
  TEMPORARY_DIRECTORY(
      "temporaryDirectory",
      Kind.TEXT,
      "",
      "",
      "Where bodies over 1 MiB are kept on their way; empty = the JVM's own.");

  /** What a value looks like. */
  public enum Kind {
    TEXT,
    NUMBER,
    FLAG,
    CHOICE
  }

  private final String key;
  private final Kind kind;
  private final String unit;
  private final String defaultValue;
  private final long smallest;
  private final long largest;
  private final List<String> choices;
  private final String meaning;

  ClientOption(String key, Kind kind, String unit, String defaultValue, String meaning) {
    this(key, kind, unit, defaultValue, 0, 0, meaning);
  }

  ClientOption(
      String key,
      Kind kind,
      String unit,
      String defaultValue,
      long smallest,
      long largest,
      String meaning) {
    this(key, kind, unit, defaultValue, smallest, largest, List.of(), meaning);
  }

  ClientOption(String key, String defaultValue, List<String> choices, String meaning) {
    this(key, Kind.CHOICE, "", defaultValue, 0, 0, choices, meaning);
  }

  ClientOption(
      String key,
      Kind kind,
      String unit,
      String defaultValue,
      long smallest,
      long largest,
      List<String> choices,
      String meaning) {
    this.key = key;
    this.kind = kind;
    this.unit = unit;
    this.defaultValue = defaultValue;
    this.smallest = smallest;
    this.largest = largest;
    this.choices = choices;
    this.meaning = meaning;
  }

  public String key() {
    return key;
  }

  public Kind kind() {
    return kind;
  }

  public String unit() {
    return unit;
  }

  public String defaultValue() {
    return defaultValue;
  }

  /** As the documentation shows it; empty for text. */
  public String range() {
    return switch (kind) {
      case TEXT -> "";
      case NUMBER -> smallest + ".." + largest;
      case FLAG -> "true, false";
      case CHOICE -> String.join(", ", choices);
    };
  }

  public String meaning() {
    return meaning;
  }

  /**
   * @throws IllegalArgumentException if the value is not one of this option's
   */
  void check(String value) {
    switch (kind) {
      case TEXT -> {
        // anything goes
      }
      case FLAG -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw new IllegalArgumentException(key + "=" + value + ": must be true or false");
        }
      }
      case CHOICE -> {
        if (!choices.contains(value)) {
          throw new IllegalArgumentException(key + "=" + value + ": must be one of " + range());
        }
      }
      case NUMBER -> {
        long number;
        try {
          number = Long.parseLong(value);
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(key + "=" + value + ": must be a whole number", e);
        }
        if (number < smallest || number > largest) {
          throw new IllegalArgumentException(
              key
                  + "="
                  + value
                  + ": must be within "
                  + range()
                  + (unit.isEmpty() ? "" : " " + unit));
        }
      }
    }
  }

  static Optional<ClientOption> of(String key) {
    return Arrays.stream(values()).filter(option -> option.key.equals(key)).findFirst();
  }

  /** Option names that someone who typed {@code unknown} may have meant, nearest first. */
  static List<String> near(String unknown) {
    String typed = unknown.toLowerCase(Locale.ROOT);
    record Guess(String key, int distance) {}
    return Arrays.stream(values())
        .map(option -> new Guess(option.key, distance(typed, option.key.toLowerCase(Locale.ROOT))))
        .filter(
            guess ->
                guess.distance <= Math.max(2, typed.length() / 3)
                    || typed.length() >= 4 && guess.key.toLowerCase(Locale.ROOT).contains(typed))
        .sorted(java.util.Comparator.comparingInt(Guess::distance))
        .limit(3)
        .map(Guess::key)
        .toList();
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
