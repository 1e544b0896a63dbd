package io.metaq.jms;

import jakarta.jms.MessageFormatException;

/**
 * Which type a value may be read as (Jakarta Messaging 3.1, tables 3-2 and 3-7).
 *
 * <p>Properties, map entries and stream fields share it; the tables differ only in char and byte[],
 * which no property can hold. A null is read as the {@code valueOf} method of the type reads a null
 * string. What cannot be read is a {@link MessageFormatException}, or the {@link
 * NumberFormatException} of a string that is no number.
 */
final class ValueConversion {

  private ValueConversion() {}

  static boolean toBoolean(Object value, String name) throws MessageFormatException {
    if (value instanceof Boolean b) {
      return b;
    }
    if (value == null || value instanceof String) {
      return Boolean.parseBoolean((String) value);
    }
    throw unreadable(value, name, "boolean");
  }

  static byte toByte(Object value, String name) throws MessageFormatException {
    if (value instanceof Byte b) {
      return b;
    }
    if (value == null || value instanceof String) {
      return Byte.parseByte((String) value);
    }
    throw unreadable(value, name, "byte");
  }

  static short toShort(Object value, String name) throws MessageFormatException {
    if (value instanceof Short || value instanceof Byte) {
      return ((Number) value).shortValue();
    }
    if (value == null || value instanceof String) {
      return Short.parseShort((String) value);
    }
    throw unreadable(value, name, "short");
  }

  static char toChar(Object value, String name) throws MessageFormatException {
    if (value instanceof Character c) {
      return c;
    }
    if (value == null) {
      throw new NullPointerException("A null value cannot be read as char: " + name);
    }
    throw unreadable(value, name, "char");
  }

  static int toInt(Object value, String name) throws MessageFormatException {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).intValue();
    }
    if (value == null || value instanceof String) {
      return Integer.parseInt((String) value);
    }
    throw unreadable(value, name, "int");
  }

  static long toLong(Object value, String name) throws MessageFormatException {
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value == null || value instanceof String) {
      return Long.parseLong((String) value);
    }
    throw unreadable(value, name, "long");
  }

  static float toFloat(Object value, String name) throws MessageFormatException {
    if (value instanceof Float f) {
      return f;
    }
    if (value == null || value instanceof String) {
      return Float.parseFloat((String) value);
    }
    throw unreadable(value, name, "float");
  }

  static double toDouble(Object value, String name) throws MessageFormatException {
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    if (value == null || value instanceof String) {
      return Double.parseDouble((String) value);
    }
    throw unreadable(value, name, "double");
  }

  static String toString(Object value, String name) throws MessageFormatException {
    if (value instanceof byte[]) {
      throw unreadable(value, name, "String");
    }
    return value == null ? null : value.toString();
  }

  /** The array itself, not a copy. */
  static byte[] toBytes(Object value, String name) throws MessageFormatException {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    throw unreadable(value, name, "byte[]");
  }

  /** Whether a property can hold the value. */
  static boolean isPropertyValue(Object value) {
    return value == null
        || value instanceof String
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Boolean
        || value instanceof Double
        || value instanceof Float
        || value instanceof Short
        || value instanceof Byte;
  }

  /**
   * Checks a value for a map entry or stream field and copies it if it can change.
   *
   * @throws MessageFormatException when the body cannot hold it
   */
  static Object copyForBody(Object value, String name) throws MessageFormatException {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    if (isPropertyValue(value) || value instanceof Character) {
      return value;
    }
    throw new MessageFormatException(
        "A " + value.getClass().getName() + " cannot be " + name + " of a message body");
  }

  private static MessageFormatException unreadable(Object value, String name, String type) {
    return new MessageFormatException(
        name + " is a " + value.getClass().getSimpleName() + " and cannot be read as " + type);
  }
}
