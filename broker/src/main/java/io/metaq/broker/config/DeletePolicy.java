package io.metaq.broker.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What becomes of a segment that has grown old, in MetaQ's notation: {@code delete,168}, {@code
 * delete,30m}, {@code archive,24,true}. What a subscription still needs is kept whatever this says.
 *
 * @param action what to do with the segment
 * @param age how long after its last message a segment is old
 * @param zip whether an archived segment is compressed
 */
public record DeletePolicy(Action action, Duration age, boolean zip) {

  /** What to do with an old segment. */
  public enum Action {
    /** Remove it. */
    DELETE,
    /** Rename it to {@code .arc}, or compress it to {@code .zip}. */
    ARCHIVE
  }

  private static final Pattern FORM =
      Pattern.compile("(delete|archive)\\s*,\\s*(\\d{1,9})([smh]?)(?:\\s*,\\s*(true|false))?");

  static DeletePolicy parse(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches() || (m.group(4) != null && m.group(1).equals("delete"))) {
      throw new IllegalArgumentException(
          "'" + text + "' is no policy; write delete,168 or delete,30m or archive,24,true");
    }
    long count = Long.parseLong(m.group(2));
    Duration age =
        switch (m.group(3)) {
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          default -> Duration.ofHours(count);
        };
    Action action = Action.valueOf(m.group(1).toUpperCase(Locale.ROOT));
    return new DeletePolicy(action, age, Boolean.parseBoolean(m.group(4)));
  }
}
