package io.metaq.selector;

import java.util.Arrays;

/**
 * The pattern of a LIKE comparison.
 *
 * <p>Matched by its own two-pointer scan instead of a regular expression: the text is walked once
 * and on a mismatch only the last {@code %} is retried, so that no pattern a client sends can make
 * the broker backtrack exponentially. {@code _} stands for one Unicode character, also one outside
 * the basic plane.
 */
final class LikePattern {

  private static final int ANY_ONE = -1;
  private static final int ANY_SEQUENCE = -2;

  private final int[] elements;

  private LikePattern(int[] elements) {
    this.elements = elements;
  }

  /**
   * Compiles a pattern.
   *
   * @param pattern the string literal behind LIKE
   * @param escape the escape character, or -1 for none
   * @return null when the pattern ends in a lone escape character
   */
  static LikePattern compile(String pattern, int escape) {
    int[] elements = new int[pattern.length()];
    int count = 0;
    int i = 0;
    while (i < pattern.length()) {
      int c = pattern.codePointAt(i);
      i += Character.charCount(c);
      if (c == escape) {
        if (i == pattern.length()) {
          return null;
        }
        c = pattern.codePointAt(i);
        i += Character.charCount(c);
        elements[count++] = c;
      } else if (c == '_') {
        elements[count++] = ANY_ONE;
      } else if (c != '%') {
        elements[count++] = c;
      } else if (count == 0 || elements[count - 1] != ANY_SEQUENCE) {
        elements[count++] = ANY_SEQUENCE;
      }
    }
    return new LikePattern(Arrays.copyOf(elements, count));
  }

  boolean matches(String text) {
    int t = 0;
    int e = 0;
    int retryElement = -1;
    int retryText = 0;
    while (t < text.length()) {
      int c = text.codePointAt(t);
      if (e < elements.length && elements[e] == ANY_SEQUENCE) {
        retryElement = ++e;
        retryText = t;
        if (e == elements.length) {
          return true;
        }
      } else if (e < elements.length && (elements[e] == ANY_ONE || elements[e] == c)) {
        e++;
        t += Character.charCount(c);
      } else if (retryElement >= 0) {
        retryText += Character.charCount(text.codePointAt(retryText));
        t = retryText;
        e = retryElement;
      } else {
        return false;
      }
    }
    while (e < elements.length && elements[e] == ANY_SEQUENCE) {
      e++;
    }
    return e == elements.length;
  }
}
