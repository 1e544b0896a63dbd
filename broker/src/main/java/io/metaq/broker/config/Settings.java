package io.metaq.broker.config;

import io.metaq.broker.config.IniFile.Entry;
import io.metaq.broker.config.IniFile.Section;
import io.metaq.broker.config.Key.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The values of one section. A key it does not set is looked for in the section it inherits from,
 * then in the key's default, so that callers never see a missing value.
 */
final class Settings {

  private final Optional<Settings> inherited;
  private final Path folder;
  private final Map<Key<?>, Object> values = new HashMap<>();
  private final Map<Key<?>, Integer> lines = new HashMap<>();
  private final Map<String, String> filters = new TreeMap<>();

  private Settings(Optional<Settings> inherited, Path folder) {
    this.inherited = inherited;
    this.folder = folder;
  }

  /** Nothing set: every key has its default. */
  static Settings defaults(Path folder) {
    return new Settings(Optional.empty(), folder);
  }

  /**
   * Reads a section, adding a fault for each key that is unknown, repeated, misplaced or has a bad
   * value.
   */
  static Settings read(Section section, Place place, Settings inherited, List<Fault> faults) {
    Settings settings = new Settings(Optional.of(inherited), inherited.folder);
    Map<String, Integer> seen = new HashMap<>();
    for (Entry entry : section.entries()) {
      Integer first = seen.putIfAbsent(entry.key(), entry.line());
      if (first != null) {
        faults.add(
            new Fault(
                entry.line(), "'" + entry.key() + "' stands twice; line " + first + " has it too"));
      } else {
        settings.take(entry, section, place, faults);
      }
    }
    return settings;
  }

  private void take(Entry entry, Section section, Place place, List<Fault> faults) {
    if (place == Place.TOPIC && isFilter(entry)) {
      filters.put(entry.key().substring(Keys.FILTER_PREFIX.length()), entry.value());
      return;
    }
    Optional<Key<?>> key =
        Keys.of(place).stream().filter(k -> k.name().equals(entry.key())).findFirst();
    if (key.isEmpty()) {
      faults.add(new Fault(entry.line(), unknown(entry.key(), section, place)));
      return;
    }
    try {
      values.put(key.get(), key.get().converter().convert(entry.value(), folder));
      lines.put(key.get(), entry.line());
    } catch (IllegalArgumentException e) {
      faults.add(
          new Fault(entry.line(), entry.key() + "=" + entry.value() + ": " + e.getMessage()));
    }
  }

  private static boolean isFilter(Entry entry) {
    return entry.key().startsWith(Keys.FILTER_PREFIX)
        && entry.key().length() > Keys.FILTER_PREFIX.length()
        && !entry.value().isEmpty();
  }

  private static String unknown(String name, Section section, Place place) {
    Optional<Key<?>> elsewhere = Keys.ALL.stream().filter(k -> k.name().equals(name)).findFirst();
    if (elsewhere.isPresent()) {
      String right = elsewhere.get().places().iterator().next().word();
      return "'"
          + name
          + "' does not belong in "
          + section.header()
          + "; put it in ["
          + right
          + "]";
    }
    return "unknown key '"
        + name
        + "' in "
        + section.header()
        + NearNames.hint(name, Keys.of(place).stream().map(Key::name).toList());
  }

  /** The value in force. */
  @SuppressWarnings(
      "unchecked") // put() is called with the value that this very key's converter made
  <T> T get(Key<T> key) {
    Object value = values.get(key);
    if (value != null) {
      return (T) value;
    }
    return inherited
        .map(settings -> settings.get(key))
        .orElseGet(() -> key.converter().convert(key.defaultText(), folder));
  }

  /** Whether this section or the one it inherits from sets the key. */
  boolean isSet(Key<?> key) {
    return values.containsKey(key) || inherited.map(settings -> settings.isSet(key)).orElse(false);
  }

  /** Line on which this section or the one it inherits from sets the key; 0 if none does. */
  int line(Key<?> key) {
    Integer own = lines.get(key);
    return own != null ? own : inherited.map(settings -> settings.line(key)).orElse(0);
  }

  /** Server-side filters by consumer group. */
  Map<String, String> filters() {
    return Map.copyOf(filters);
  }

  /**
   * What this section (and, unless it is of a destination, those it inherits from) sets to other
   * than its default and nothing heeds yet.
   */
  List<Fault> unheeded(boolean destination) {
    List<Fault> notes = new ArrayList<>();
    if (!destination) {
      inherited.ifPresent(settings -> notes.addAll(settings.unheeded(false)));
    }
    lines.forEach(
        (key, line) -> {
          boolean known = Keys.NOT_YET.contains(key) || (destination && key.equals(Keys.DATA_PATH));
          Object standard = key.converter().convert(key.defaultText(), folder);
          if (known && !standard.equals(values.get(key))) {
            notes.add(new Fault(line, key.name() + " is not heeded yet"));
          }
        });
    filters
        .keySet()
        .forEach(
            group ->
                notes.add(new Fault(0, "the filter of group " + group + " is not heeded yet")));
    return notes;
  }
}
