package io.metaq.selector;

/** A part of a compiled selector that has a value: identifier, literal or arithmetic. */
@FunctionalInterface
interface Operand {

  /** The value; null is SQL's NULL. */
  Object value(SelectorContext context);

  /** A literal. */
  record Literal(Object constant) implements Operand {
    @Override
    public Object value(SelectorContext context) {
      return constant;
    }
  }

  /** A header field or property. */
  record Identifier(String name) implements Operand {
    @Override
    public Object value(SelectorContext context) {
      return context.value(name);
    }
  }

  /** A condition in brackets that is compared with a boolean. */
  record TruthOf(Condition condition) implements Operand {
    @Override
    public Object value(SelectorContext context) {
      return switch (condition.test(context)) {
        case Condition.TRUE -> Boolean.TRUE;
        case Condition.FALSE -> Boolean.FALSE;
        default -> null;
      };
    }
  }
}
