package io.metaq.jms;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What an application says of its consumers behind the {@code ?} of a destination's name, as in
 * {@code orders?consumer.priority=10&consumer.exclusive=true}. Stands apart from the name, which
 * alone makes a destination what it is to the broker and to {@code equals}.
 *
 * @param priority -1000..1000, or null for that of the connection factory
 * @param exclusive null for what the connection factory says
 */
record ConsumerOptions(Integer priority, Boolean exclusive) implements Serializable {
  static final ConsumerOptions NONE = new ConsumerOptions(null, null);

  private static final String PRIORITY = "consumer.priority";
  private static final String EXCLUSIVE = "consumer.exclusive";
  private static final int MOST = 1000;

  /** The name in the text of a destination. */
  static String name(String text) {
    int query = text.indexOf('?');
    return query < 0 ? text : text.substring(0, query);
  }

  /**
   * The options in the text of a destination.
   *
   * @throws IllegalArgumentException listing every fault
   */
  static ConsumerOptions of(String text) {
    int query = text.indexOf('?');
    if (query < 0) {
      return NONE;
    }
    Integer priority = null;
    Boolean exclusive = null;
    List<String> faults = new ArrayList<>();
    for (String pair : text.substring(query + 1).split("&", -1)) {
      int equals = pair.indexOf('=');
      String value = pair.substring(equals + 1);
      switch (equals < 0 ? pair : pair.substring(0, equals)) {
        case PRIORITY -> {
          if (value.matches("-?[0-9]{1,4}") && Math.abs(Integer.parseInt(value)) <= MOST) {
            priority = Integer.valueOf(value);
          } else {
            faults.add(pair + ": must be within -" + MOST + ".." + MOST);
          }
        }
        case EXCLUSIVE -> {
          if (value.equals("true") || value.equals("false")) {
            exclusive = Boolean.valueOf(value);
          } else {
            faults.add(pair + ": must be true or false");
          }
        }
        default ->
            faults.add(
                "unknown option '" + pair + "'; there are " + PRIORITY + " and " + EXCLUSIVE);
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The destination " + text + ": " + String.join("; ", faults));
    }
    return new ConsumerOptions(priority, exclusive);
  }

  int priorityOr(int otherwise) {
    return priority == null ? otherwise : priority;
  }

  boolean exclusiveOr(boolean otherwise) {
    return exclusive == null ? otherwise : exclusive;
  }

  /** As behind a destination's name, with its question mark; empty if there are none. */
  String text() {
    List<String> pairs = new ArrayList<>(2);
    if (priority != null) {
      pairs.add(PRIORITY + "=" + priority);
    }
    if (exclusive != null) {
      pairs.add(EXCLUSIVE + "=" + exclusive);
    }
    return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
  }
}
