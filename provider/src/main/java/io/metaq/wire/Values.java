package io.metaq.wire;

/**
 * The typed values that properties, map and stream bodies may hold: the primitives, strings, byte
 * arrays and null.
 */
public final class Values {
  private static final int NULL = 0;
  private static final int BOOLEAN = 1;
  private static final int BYTE = 2;
  private static final int SHORT = 3;
  private static final int INT = 4;
  private static final int LONG = 5;
  private static final int FLOAT = 6;
  private static final int DOUBLE = 7;
  private static final int STRING = 8;
  private static final int CHAR = 9;
  private static final int BYTES = 10;

  private Values() {}

  /**
   * @throws IllegalArgumentException if the value is of none of the types above
   */
  public static void write(Object value, WireWriter out) {
    if (value == null) {
      out.u8(NULL);
    } else if (value instanceof String string) {
      out.u8(STRING).string(string);
    } else if (value instanceof Integer number) {
      out.u8(INT).i32(number);
    } else if (value instanceof Long number) {
      out.u8(LONG).i64(number);
    } else if (value instanceof Boolean bool) {
      out.u8(BOOLEAN).bool(bool);
    } else if (value instanceof Byte number) {
      out.u8(BYTE).u8(number);
    } else if (value instanceof Short number) {
      out.u8(SHORT).u16(number);
    } else if (value instanceof Float number) {
      out.u8(FLOAT).f32(number);
    } else if (value instanceof Double number) {
      out.u8(DOUBLE).f64(number);
    } else if (value instanceof Character character) {
      out.u8(CHAR).u16(character);
    } else if (value instanceof byte[] bytes) {
      out.u8(BYTES).bytes(bytes);
    } else {
      throw new IllegalArgumentException("a " + value.getClass().getName() + " cannot be sent");
    }
  }

  public static Object read(WireReader in) {
    int type = in.u8();
    return switch (type) {
      case NULL -> null;
      case BOOLEAN -> in.bool();
      case BYTE -> (byte) in.u8();
      case SHORT -> (short) in.u16();
      case INT -> in.i32();
      case LONG -> in.i64();
      case FLOAT -> in.f32();
      case DOUBLE -> in.f64();
      case STRING -> in.text();
      case CHAR -> (char) in.u16();
      case BYTES -> in.bytes();
      default -> throw new WireException("unknown value type " + type);
    };
  }
}
