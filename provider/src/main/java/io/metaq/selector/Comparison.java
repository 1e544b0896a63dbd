package io.metaq.selector;

/**
 * The comparisons of two values.
 *
 * <p>NULL on either side makes them unknown, values of unlike types make them false (also {@code
 * <>}), strings and booleans know only {@code =} and {@code <>}, numbers compare by Java's
 * promotion. The common shapes, identifier against literal, have nodes of their own that allocate
 * nothing.
 */
final class Comparison {

  private Comparison() {}

  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    boolean isOrdering() {
      return this != EQUAL && this != NOT_EQUAL;
    }

    /** The operator with its two sides exchanged. */
    Operator swapped() {
      return switch (this) {
        case LESS -> GREATER;
        case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
        case GREATER -> LESS;
        case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        default -> this;
      };
    }
  }

  /** An identifier compared with a string literal. */
  record WithString(String identifier, boolean equal, String literal) implements Condition {
    @Override
    public int test(SelectorContext context) {
      Object value = context.value(identifier);
      if (value == null) {
        return UNKNOWN;
      }
      return Condition.of(value instanceof String s && s.equals(literal) == equal);
    }
  }

  /** Anything compared with an integer literal. */
  record WithExact(Operand operand, Operator operator, long literal, Number number)
      implements Condition {
    @Override
    public int test(SelectorContext context) {
      Object value = operand.value(context);
      if (value instanceof Integer i) {
        return Condition.of(exact(operator, i, literal));
      }
      if (value instanceof Long l) {
        return Condition.of(exact(operator, l, literal));
      }
      return compare(value, operator, number);
    }
  }

  /** The general case. */
  record Of(Operand left, Operator operator, Operand right) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return compare(left.value(context), operator, right.value(context));
    }
  }

  /** BETWEEN: not less than one value and not greater than another. */
  record Between(Operand operand, Operand low, Operand high) implements Condition {
    @Override
    public int test(SelectorContext context) {
      Object value = operand.value(context);
      return Math.min(
          compare(value, Operator.GREATER_OR_EQUAL, low.value(context)),
          compare(value, Operator.LESS_OR_EQUAL, high.value(context)));
    }
  }

  /**
   * NOT BETWEEN. Not the negation of {@link Between}: unlike types are false either way, because
   * both are defined by the comparisons they stand for.
   */
  record NotBetween(Operand operand, Operand low, Operand high) implements Condition {
    @Override
    public int test(SelectorContext context) {
      Object value = operand.value(context);
      return Math.max(
          compare(value, Operator.LESS, low.value(context)),
          compare(value, Operator.GREATER, high.value(context)));
    }
  }

  private static int compare(Object left, Operator operator, Object right) {
    if (left == null || right == null) {
      return Condition.UNKNOWN;
    }
    if (left instanceof Number a && right instanceof Number b) {
      return Condition.of(numbers(operator, a, b));
    }
    if (operator.isOrdering() || left.getClass() != right.getClass()) {
      return Condition.FALSE;
    }
    return Condition.of(left.equals(right) == (operator == Operator.EQUAL));
  }

  private static boolean numbers(Operator operator, Number a, Number b) {
    if (a instanceof Double || b instanceof Double) {
      return approximate(operator, a.doubleValue(), b.doubleValue());
    }
    if (a instanceof Float || b instanceof Float) {
      return approximate(operator, a.floatValue(), b.floatValue());
    }
    return exact(operator, a.longValue(), b.longValue());
  }

  private static boolean exact(Operator operator, long a, long b) {
    return switch (operator) {
      case EQUAL -> a == b;
      case NOT_EQUAL -> a != b;
      case LESS -> a < b;
      case LESS_OR_EQUAL -> a <= b;
      case GREATER -> a > b;
      case GREATER_OR_EQUAL -> a >= b;
    };
  }

  private static boolean approximate(Operator operator, double a, double b) {
    return switch (operator) {
      case EQUAL -> a == b;
      case NOT_EQUAL -> a != b;
      case LESS -> a < b;
      case LESS_OR_EQUAL -> a <= b;
      case GREATER -> a > b;
      case GREATER_OR_EQUAL -> a >= b;
    };
  }
}
