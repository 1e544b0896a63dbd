package io.metaq.broker.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The sections and entries of an ini file with the lines they stand on, before any of them has a
 * meaning. Comments fill a whole line and begin with {@code #} or {@code ;}.
 */
record IniFile(List<Section> sections) {

  /**
   * {@code [kind]} or {@code [kind=name]}.
   *
   * @param name empty when the header has none
   */
  record Section(String kind, String name, int line, List<Entry> entries) {

    String header() {
      return name.isEmpty() ? "[" + kind + "]" : "[" + kind + "=" + name + "]";
    }
  }

  /** {@code key=value}, both without surrounding blanks. */
  record Entry(String key, String value, int line) {}

  /** Reads what is readable and adds a fault for each line that is not. */
  static IniFile parse(String text, List<Fault> faults) {
    List<Section> sections = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      int number = i + 1;
      String line = withoutByteOrderMark(lines.get(i)).strip();
      if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
        continue;
      }
      if (line.startsWith("[")) {
        sections.add(section(line, number, faults));
      } else {
        entry(line, number, sections, faults);
      }
    }
    return new IniFile(List.copyOf(sections));
  }

  private static Section section(String line, int number, List<Fault> faults) {
    boolean closed = line.endsWith("]");
    if (!closed) {
      faults.add(new Fault(number, "section header '" + line + "' has no closing ']'"));
    }
    String inner = line.substring(1, closed ? line.length() - 1 : line.length());
    int equals = inner.indexOf('=');
    String kind = (equals < 0 ? inner : inner.substring(0, equals)).strip();
    String name = equals < 0 ? "" : inner.substring(equals + 1).strip();
    return new Section(kind, name, number, new ArrayList<>());
  }

  private static void entry(String line, int number, List<Section> sections, List<Fault> faults) {
    int equals = line.indexOf('=');
    if (equals <= 0) {
      faults.add(new Fault(number, "'" + line + "' is neither [section], key=value nor a comment"));
    } else if (sections.isEmpty()) {
      faults.add(new Fault(number, "'" + line + "' stands before the first section; add [system]"));
    } else {
      String key = line.substring(0, equals).strip();
      String value = line.substring(equals + 1).strip();
      sections.get(sections.size() - 1).entries().add(new Entry(key, value, number));
    }
  }

  private static String withoutByteOrderMark(String line) {
    return line.startsWith("\uFEFF") ? line.substring(1) : line;
  }
}
