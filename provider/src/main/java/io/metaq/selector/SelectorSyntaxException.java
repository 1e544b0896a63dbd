package io.metaq.selector;

/**
 * A selector text that is not a valid selector: bad syntax, ill-typed by its text, or too large.
 *
 * <p>Apart from {@code InvalidSelectorException} because the broker parses selectors too and needs
 * no Jakarta Messaging class to do so.
 */
public final class SelectorSyntaxException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int position;

  SelectorSyntaxException(String problem, String selector, int position) {
    super(problem + " at position " + position + " of selector " + excerpt(selector, position));
    this.position = position;
  }

  /** The index of the offending character in the selector, from 0; its length means the end. */
  public int position() {
    return position;
  }

  /** Long selectors are cut around the fault, so that a message stays readable in a log. */
  private static String excerpt(String selector, int position) {
    int from = Math.max(0, position - 60);
    int to = Math.min(selector.length(), position + 60);
    return (from > 0 ? "[...]" : "[")
        + selector.substring(from, to)
        + (to < selector.length() ? "...]" : "]");
  }
}
