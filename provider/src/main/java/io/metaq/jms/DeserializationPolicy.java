package io.metaq.jms;

import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which classes an ObjectMessage may bring to life.
 *
 * <p>Closed unless it is opened: beyond basic values and collections of the JDK only what the
 * configuration names. Every class in the stream is checked for itself, so allowing a package does
 * not allow what its objects refer to. A refusal beats a permission.
 */
public final class DeserializationPolicy {

  /** Deep enough for linked application objects, and before a stack overflows. */
  private static final long MAX_DEPTH = 1_000;

  private static final Set<String> BASIC_CLASSES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Short",
          "java.lang.String",
          "java.lang.StringBuffer",
          "java.lang.StringBuilder",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.math.RoundingMode",
          "java.time.DayOfWeek",
          "java.time.Duration",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalDateTime",
          "java.time.LocalTime",
          "java.time.Month",
          "java.time.MonthDay",
          "java.time.OffsetDateTime",
          "java.time.OffsetTime",
          "java.time.Period",
          "java.time.Ser",
          "java.time.Year",
          "java.time.YearMonth",
          "java.time.ZoneId",
          "java.time.ZoneOffset",
          "java.time.ZoneRegion",
          "java.time.ZonedDateTime",
          "java.util.AbstractCollection",
          "java.util.AbstractList",
          "java.util.AbstractMap",
          "java.util.AbstractSet",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.CollSer",
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$EmptySet",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableMap",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$UnmodifiableSet",
          "java.util.Date",
          "java.util.Dictionary",
          "java.util.EnumMap",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.Hashtable",
          "java.util.ImmutableCollections$List12",
          "java.util.ImmutableCollections$ListN",
          "java.util.ImmutableCollections$Map1",
          "java.util.ImmutableCollections$MapN",
          "java.util.ImmutableCollections$Set12",
          "java.util.ImmutableCollections$SetN",
          "java.util.ImmutableCollections$SubList",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Locale",
          "java.util.Map$Entry",
          "java.util.Properties",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID",
          "java.util.Vector");

  private final List<Pattern> allowed;
  private final List<Pattern> refused;

  private DeserializationPolicy(List<Pattern> allowed, List<Pattern> refused) {
    this.allowed = allowed;
    this.refused = refused;
  }

  /** Basic values and collections of the JDK only. */
  public static DeserializationPolicy closed() {
    return new DeserializationPolicy(List.of(), List.of());
  }

  /**
   * Reads a policy from two lists of patterns, separated by commas.
   *
   * <p>A pattern is the name of a class ({@code com.shop.Order}, nested ones with {@code $}), a
   * package ({@code com.shop.*}), a package with all below it ({@code com.shop.**}), or {@code *}
   * for every class.
   *
   * @param allow what may be deserialized besides the basic classes; may be empty
   * @param deny what may not, also where it is allowed or basic; may be empty
   * @throws IllegalArgumentException when a pattern is none of the above
   */
  public static DeserializationPolicy of(String allow, String deny) {
    return new DeserializationPolicy(parse(allow), parse(deny));
  }

  private static List<Pattern> parse(String list) {
    List<Pattern> patterns = new ArrayList<>();
    for (String pattern : list.split(",")) {
      if (!pattern.isBlank()) {
        patterns.add(Pattern.parse(pattern.trim()));
      }
    }
    return List.copyOf(patterns);
  }

  /** Whether objects of a class may be deserialized. */
  public boolean permits(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    String name = element.getName();
    if (refused.stream().anyMatch(p -> p.matches(name))) {
      return false;
    }
    return element.isPrimitive()
        || BASIC_CLASSES.contains(name)
        || allowed.stream().anyMatch(p -> p.matches(name));
  }

  /** Whether the size of what a stream claims to hold is out of proportion. */
  static boolean isTooLarge(ObjectInputFilter.FilterInfo info, long streamBytes) {
    // Every element of an array takes at least a byte; sizes of hash tables are estimates.
    return info.depth() > MAX_DEPTH || info.arrayLength() > 64 + streamBytes * 2;
  }

  @Override
  public String toString() {
    return "DeserializationPolicy[allow=" + allowed + ", deny=" + refused + "]";
  }

  /** A class, a package, or a package with all below it; the empty prefix is every class. */
  private record Pattern(String text, String prefix, boolean below) {

    static Pattern parse(String text) {
      String prefix = null;
      boolean below = false;
      if (text.equals("*") || text.equals("**")) {
        prefix = "";
        below = true;
      } else if (text.endsWith(".**")) {
        prefix = text.substring(0, text.length() - 2);
        below = true;
      } else if (text.endsWith(".*")) {
        prefix = text.substring(0, text.length() - 1);
      }
      String name = prefix == null ? text : prefix;
      boolean valid =
          name.codePoints().allMatch(c -> c == '.' || Character.isJavaIdentifierPart(c));
      if (!valid) {
        throw new IllegalArgumentException(
            "'" + text + "' is no class, package.*, package.** or *");
      }
      return new Pattern(text, prefix, below);
    }

    boolean matches(String className) {
      if (prefix == null) {
        return className.equals(text);
      }
      return className.startsWith(prefix) && (below || className.indexOf('.', prefix.length()) < 0);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
