package io.metaq.tck.harness;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Makes the table "section, assertion, test" of the README, and the list of the control's known
 * deviations, from the annotations of the tests.
 */
final class AssertionTable {

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private record Row(String section, String text, String test) {}

  private AssertionTable() {}

  static String assertions() {
    String rows =
        methods().stream()
            .filter(method -> method.isAnnotationPresent(Assertion.class))
            .map(AssertionTable::row)
            .sorted(
                Comparator.comparing((Row row) -> sortable(row.section())).thenComparing(Row::test))
            .map(row -> "| " + row.section() + " | " + row.text() + " | `" + row.test() + "` |\n")
            .collect(Collectors.joining());
    return "| Section | Assertion | Test |\n| --- | --- | --- |\n" + rows;
  }

  static String deviations() {
    StringBuilder rows = new StringBuilder();
    for (Method method : methods()) {
      for (KnownDeviation deviation : method.getAnnotationsByType(KnownDeviation.class)) {
        rows.append("| ")
            .append(deviation.provider())
            .append(" | ")
            .append(method.getAnnotation(Assertion.class).section())
            .append(" | `")
            .append(test(method))
            .append("` | ")
            .append(cell(deviation.why()))
            .append(" |\n");
      }
    }
    return "| Product | Section | Test | What it does |\n| --- | --- | --- | --- |\n" + rows;
  }

  private static List<Method> methods() {
    List<Method> methods = new ArrayList<>();
    for (Class<?> type :
        ReflectionSupport.findAllClassesInPackage(
            "io.metaq.tck",
            candidate -> candidate.isAnnotationPresent(Conformance.class),
            name -> true)) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Assertion.class)) {
          methods.add(method);
        }
      }
    }
    methods.sort(Comparator.comparing(AssertionTable::test));
    return methods;
  }

  private static Row row(Method method) {
    Assertion assertion = method.getAnnotation(Assertion.class);
    return new Row(assertion.section(), cell(assertion.text()), test(method));
  }

  private static String test(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** Numbers padded, so that 3.10 follows 3.9; sections of the API documentation last. */
  private static String sortable(String section) {
    Matcher numbers = NUMBER.matcher(section);
    if (section.startsWith("API")) {
      return "~" + section;
    }
    return numbers.replaceAll(
        found -> String.format(Locale.ROOT, "%04d", Integer.parseInt(found.group())));
  }
}
