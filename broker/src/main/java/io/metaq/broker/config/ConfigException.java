package io.metaq.broker.config;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration that cannot be used: carries every fault of the file, in the order of its lines.
 */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  ConfigException(String source, List<Fault> faults) {
    super(report(source, faults));
    this.faults = inOrder(faults);
  }

  /** Every fault found, ordered by line. */
  public List<Fault> faults() {
    return faults;
  }

  private static List<Fault> inOrder(List<Fault> faults) {
    return faults.stream().sorted(Comparator.comparingInt(Fault::line)).toList();
  }

  private static String report(String source, List<Fault> faults) {
    String head = faults.size() == 1 ? "1 fault in " : faults.size() + " faults in ";
    return inOrder(faults).stream()
        .map(f -> "  " + source + (f.line() > 0 ? ":" + f.line() : "") + ": " + f.text())
        .collect(Collectors.joining("\n", head + source + "; the broker was not started:\n", ""));
  }
}
