package io.metaq.selector;

/**
 * Java's numeric literals: decimal, octal, hexadecimal and binary integers, decimal and hexadecimal
 * floating point, digit separators and type suffixes.
 *
 * <p>Two readings where section 3.8.1.1 asks for the range of long with Java's syntax: an integer
 * without suffix is an int when its value fits one and a long otherwise, and a hexadecimal, octal
 * or binary literal denotes the value it spells, not an int bit pattern ({@code 0xFFFFFFFF} is
 * 4294967295); only beyond {@code Long.MAX_VALUE} does it wrap, as a Java long literal does.
 */
final class NumericLiteral {

  private NumericLiteral() {}

  /**
   * Reads a literal.
   *
   * @param negated whether a minus sign stands before it; the value returned then has that sign
   * @return its value, or null when the text is no literal or its value is out of range
   */
  static Number parse(String literal, boolean negated) {
    String digits = withoutSeparators(literal);
    if (digits == null) {
      return null;
    }
    boolean hex = digits.startsWith("0x") || digits.startsWith("0X");
    return isFloatingPoint(digits, hex) ? floatingPoint(digits, negated) : integer(digits, negated);
  }

  private static boolean isFloatingPoint(String digits, boolean hex) {
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c == '.' || c == 'p' || c == 'P') {
        return true;
      }
      if (!hex && "eEfFdD".indexOf(c) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static Number floatingPoint(String digits, boolean negated) {
    char last = digits.charAt(digits.length() - 1);
    String signed = negated ? "-" + digits : digits;
    try {
      // Java takes neither an overflow to infinity nor an underflow to zero in a literal.
      if (last == 'f' || last == 'F') {
        float value = Float.parseFloat(signed);
        return Float.isInfinite(value) || value == 0 && hasNonZeroDigit(digits) ? null : value;
      }
      double value = Double.parseDouble(signed);
      return Double.isInfinite(value) || value == 0 && hasNonZeroDigit(digits) ? null : value;
    } catch (NumberFormatException e) {
      // Not a literal: the caller reports it with the position in the selector.
      return null;
    }
  }

  private static boolean hasNonZeroDigit(String digits) {
    boolean hex = digits.startsWith("0x") || digits.startsWith("0X");
    for (int i = hex ? 2 : 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E') {
        return false;
      }
      if (c != '0' && Character.digit(c, hex ? 16 : 10) > 0) {
        return true;
      }
    }
    return false;
  }

  private static Number integer(String literal, boolean negated) {
    String digits = literal;
    boolean isLong = digits.endsWith("l") || digits.endsWith("L");
    if (isLong) {
      digits = digits.substring(0, digits.length() - 1);
    }
    int radix = 10;
    if (digits.startsWith("0x") || digits.startsWith("0X")) {
      radix = 16;
      digits = digits.substring(2);
    } else if (digits.startsWith("0b") || digits.startsWith("0B")) {
      radix = 2;
      digits = digits.substring(2);
    } else if (digits.length() > 1 && digits.startsWith("0")) {
      radix = 8;
      digits = digits.substring(1);
    }
    if (!onlyDigits(digits, radix)) {
      return null;
    }
    long value;
    try {
      if (radix == 10) {
        value = Long.parseLong(negated ? "-" + digits : digits);
      } else {
        value = Long.parseUnsignedLong(digits, radix);
        value = negated ? -value : value;
      }
    } catch (NumberFormatException e) {
      // Out of range: the caller reports it with the position in the selector.
      return null;
    }
    if (!isLong && value == (int) value) {
      return (int) value;
    }
    return value;
  }

  private static boolean onlyDigits(String digits, int radix) {
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c > 'f' || Character.digit(c, radix) < 0) {
        return false;
      }
    }
    return !digits.isEmpty();
  }

  /** Removes underscores, which may stand only between digits; null where one does not. */
  private static String withoutSeparators(String literal) {
    if (literal.indexOf('_') < 0) {
      return literal;
    }
    StringBuilder plain = new StringBuilder(literal.length());
    boolean hex = literal.startsWith("0x") || literal.startsWith("0X");
    for (int i = 0; i < literal.length(); i++) {
      char c = literal.charAt(i);
      if (c != '_') {
        plain.append(c);
      } else if (!isDigitBefore(literal, i, hex) || !isDigitAfter(literal, i, hex)) {
        return null;
      }
    }
    return plain.toString();
  }

  private static boolean isDigitBefore(String literal, int index, boolean hex) {
    int i = index;
    while (i > 0 && literal.charAt(i) == '_') {
      i--;
    }
    return isDigit(literal.charAt(i), hex);
  }

  private static boolean isDigitAfter(String literal, int index, boolean hex) {
    int i = index;
    while (i < literal.length() - 1 && literal.charAt(i) == '_') {
      i++;
    }
    return isDigit(literal.charAt(i), hex);
  }

  private static boolean isDigit(char c, boolean hex) {
    return c <= 'f' && Character.digit(c, hex ? 16 : 10) >= 0;
  }
}
