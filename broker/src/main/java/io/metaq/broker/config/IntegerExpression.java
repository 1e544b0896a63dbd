package io.metaq.broker.config;

/**
 * Evaluates the arithmetic that MetaQ allows in place of an integer, such as {@code 64 * 1024 *
 * 1024}: {@code + - * / %}, signs and parentheses over 64-bit integers. An overflow is an error,
 * never a wrapped number.
 *
 * <p>By recursive descent: sum of products of factors.
 */
final class IntegerExpression {

  private final String text;
  private int at;

  private IntegerExpression(String text) {
    this.text = text;
  }

  /**
   * The value of {@code text}.
   *
   * @throws IllegalArgumentException if it is no integer expression or leaves the range of a long
   */
  static long evaluate(String text) {
    IntegerExpression expression = new IntegerExpression(text);
    try {
      long value = expression.sum();
      if (expression.peek() != 0) {
        throw expression.unexpected();
      }
      return value;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' cannot be computed: " + e.getMessage(), e);
    }
  }

  private long sum() {
    long value = product();
    while (true) {
      if (take('+')) {
        value = Math.addExact(value, product());
      } else if (take('-')) {
        value = Math.subtractExact(value, product());
      } else {
        return value;
      }
    }
  }

  private long product() {
    long value = factor();
    while (true) {
      if (take('*')) {
        value = Math.multiplyExact(value, factor());
      } else if (take('/')) {
        value = value / factor();
      } else if (take('%')) {
        value = value % factor();
      } else {
        return value;
      }
    }
  }

  private long factor() {
    if (take('-')) {
      return Math.negateExact(factor());
    }
    if (take('+')) {
      return factor();
    }
    if (take('(')) {
      long value = sum();
      if (!take(')')) {
        throw unexpected();
      }
      return value;
    }
    return number();
  }

  private long number() {
    peek();
    int start = at;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw unexpected();
    }
    try {
      return Long.parseLong(text.substring(start, at));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' holds a number beyond 64 bits", e);
    }
  }

  private boolean take(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  /** The next character that is no blank, or 0 at the end. */
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no integer: "
            + (at < text.length()
                ? "unexpected '" + text.charAt(at) + "' at character " + (at + 1)
                : "it ends too early"));
  }
}
