package io.metaq.selector;

/**
 * Arithmetic by Java's numeric promotion: byte, short and int calculate as int and wrap like it,
 * then long, float and double.
 *
 * <p>A division by zero of exact numbers has no value and is unknown; of approximate numbers it is
 * what IEEE 754 says.
 */
final class Arithmetic {

  private Arithmetic() {}

  enum Operator {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE
  }

  /**
   * Operators of one precedence applied from left to right; one node however long the chain, so
   * that evaluation does not recurse along it.
   */
  record Chain(Operand first, Operator[] operators, Operand[] operands) implements Operand {
    @Override
    public Object value(SelectorContext context) {
      if (!(first.value(context) instanceof Number result)) {
        return null;
      }
      for (int i = 0; i < operators.length; i++) {
        if (!(operands[i].value(context) instanceof Number next)) {
          return null;
        }
        result = apply(operators[i], result, next);
        if (result == null) {
          return null;
        }
      }
      return result;
    }
  }

  /** Unary minus. */
  record Negated(Operand operand) implements Operand {
    @Override
    public Object value(SelectorContext context) {
      return operand.value(context) instanceof Number n ? negate(n) : null;
    }
  }

  /** Unary plus: no change of value, but what is not a number has none. */
  record NumberOnly(Operand operand) implements Operand {
    @Override
    public Object value(SelectorContext context) {
      return operand.value(context) instanceof Number n ? n : null;
    }
  }

  private static Number negate(Number n) {
    if (n instanceof Double d) {
      return -d;
    }
    if (n instanceof Float f) {
      return -f;
    }
    if (n instanceof Long l) {
      return -l;
    }
    return -n.intValue();
  }

  private static Number apply(Operator operator, Number a, Number b) {
    if (a instanceof Double || b instanceof Double) {
      return applyDouble(operator, a.doubleValue(), b.doubleValue());
    }
    if (a instanceof Float || b instanceof Float) {
      return applyFloat(operator, a.floatValue(), b.floatValue());
    }
    if (a instanceof Long || b instanceof Long) {
      return applyLong(operator, a.longValue(), b.longValue());
    }
    return applyInt(operator, a.intValue(), b.intValue());
  }

  private static Number applyDouble(Operator operator, double a, double b) {
    return switch (operator) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
    };
  }

  private static Number applyFloat(Operator operator, float a, float b) {
    return switch (operator) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
    };
  }

  private static Number applyLong(Operator operator, long a, long b) {
    if (operator == Operator.DIVIDE && b == 0) {
      return null;
    }
    return switch (operator) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
    };
  }

  private static Number applyInt(Operator operator, int a, int b) {
    if (operator == Operator.DIVIDE && b == 0) {
      return null;
    }
    return switch (operator) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
    };
  }
}
