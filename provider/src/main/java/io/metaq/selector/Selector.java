package io.metaq.selector;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A message selector (Jakarta Messaging 3.1, section 3.8.1), parsed once and evaluated often.
 *
 * <p>Immutable and safe for use by any number of threads.
 */
public final class Selector {

  /** The longest selector accepted, in characters: bounds the work a client can ask for. */
  public static final int MAX_LENGTH = 65_536;

  private final String text;
  private final Condition condition;
  private final Set<String> identifiers;
  private final Map<String, String> equalities;

  private Selector(
      String text, Condition condition, Set<String> identifiers, Map<String, String> equalities) {
    this.text = text;
    this.condition = condition;
    this.identifiers = identifiers;
    this.equalities = equalities;
  }

  /**
   * Parses a selector.
   *
   * @param text the selector; null, empty or only white space selects every message
   * @return the selector
   * @throws SelectorSyntaxException when the text is not a selector, is ill-typed by its text, is
   *     longer than {@link #MAX_LENGTH} or nests brackets too deeply
   */
  public static Selector parse(String text) throws SelectorSyntaxException {
    if (text == null || text.isBlank()) {
      return new Selector("", new Condition.Constant(true), Set.of(), Map.of());
    }
    if (text.length() > MAX_LENGTH) {
      String problem = "Longer than " + MAX_LENGTH + " characters (" + text.length() + "), cut";
      throw new SelectorSyntaxException(problem, text, MAX_LENGTH);
    }
    Parser parser = new Parser(text);
    Condition condition = parser.parse();
    Map<String, String> equalities = new LinkedHashMap<>();
    collectEqualities(condition, equalities);
    Set<String> identifiers =
        Collections.unmodifiableSet(new LinkedHashSet<>(parser.identifiers()));
    return new Selector(text, condition, identifiers, Map.copyOf(equalities));
  }

  /** Whether a message matches: true only where the selector is true, not where it is unknown. */
  public boolean matches(SelectorContext message) {
    return condition.test(message) == Condition.TRUE;
  }

  /** Whether this selector was empty and so matches every message unseen. */
  public boolean matchesAll() {
    return text.isEmpty();
  }

  /** The selector as written; empty for one that matches every message. */
  public String text() {
    return text;
  }

  /** The header fields and properties the selector refers to, in order of appearance. */
  public Set<String> identifiers() {
    return identifiers;
  }

  /**
   * Returns the string that an identifier must equal for the selector to be true.
   *
   * <p>There is one when the selector is that equality, or a chain of ANDs that holds it. Messages
   * found through an index by this value still need {@link #matches}.
   */
  public Optional<String> equalityOn(String identifier) {
    return Optional.ofNullable(equalities.get(identifier));
  }

  private static void collectEqualities(Condition condition, Map<String, String> equalities) {
    if (condition instanceof Comparison.WithString c && c.equal()) {
      equalities.putIfAbsent(c.identifier(), c.literal());
    } else if (condition instanceof Condition.And and) {
      for (Condition part : and.parts()) {
        collectEqualities(part, equalities);
      }
    }
  }

  /** Selectors are equal when their texts are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Selector s && s.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
