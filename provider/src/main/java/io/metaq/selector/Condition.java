package io.metaq.selector;

/**
 * A part of a compiled selector that is true, false or unknown.
 *
 * <p>The three truth values are ordered ints so that AND is the minimum, OR the maximum and NOT the
 * negation, and evaluation allocates nothing.
 */
@FunctionalInterface
interface Condition {

  int FALSE = -1;
  int UNKNOWN = 0;
  int TRUE = 1;

  int test(SelectorContext context);

  static int of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  /** A boolean constant. */
  record Constant(boolean truth) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return of(truth);
    }
  }

  /** A property used as a condition; any value that is not boolean leaves it unknown. */
  record BooleanOf(Operand operand) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return operand.value(context) instanceof Boolean b ? of(b) : UNKNOWN;
    }
  }

  /** Logical negation. */
  record Not(Condition condition) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return -condition.test(context);
    }
  }

  /** Conjunction; a whole chain is one node, so that a long chain nests no deeper than a short. */
  record And(Condition[] parts) implements Condition {
    @Override
    public int test(SelectorContext context) {
      int result = TRUE;
      for (Condition part : parts) {
        result = Math.min(result, part.test(context));
        if (result == FALSE) {
          return FALSE;
        }
      }
      return result;
    }
  }

  /** Disjunction; a whole chain is one node. */
  record Or(Condition[] parts) implements Condition {
    @Override
    public int test(SelectorContext context) {
      int result = FALSE;
      for (Condition part : parts) {
        result = Math.max(result, part.test(context));
        if (result == TRUE) {
          return TRUE;
        }
      }
      return result;
    }
  }
}
