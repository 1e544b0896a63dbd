package io.metaq.selector;

/**
 * What the parser knows of a part it has read: its compiled form and, as far as the text tells, its
 * type.
 *
 * @param type the type by the text alone
 * @param operand its value, null for a condition
 * @param condition its truth value, null for an operand
 * @param position index of its first character
 */
record Term(Type type, Operand operand, Condition condition, int position) {

  enum Type {
    NUMBER("a number"),
    STRING("a string"),
    BOOLEAN("a boolean"),
    /** A property, whose type only the message knows. */
    ANY("a property");

    private final String shown;

    Type(String shown) {
      this.shown = shown;
    }

    String shown() {
      return shown;
    }

    /** Whether a value of this type may turn out to be of the other one. */
    boolean mayBe(Type other) {
      return this == ANY || other == ANY || this == other;
    }
  }

  static Term value(Type type, Operand operand, int position) {
    return new Term(type, operand, null, position);
  }

  static Term condition(Condition condition, int position) {
    return new Term(Type.BOOLEAN, null, condition, position);
  }

  Operand asOperand() {
    return operand != null ? operand : new Operand.TruthOf(condition);
  }

  Condition asCondition() {
    return condition != null ? condition : new Condition.BooleanOf(operand);
  }

  /** The identifier's name, or null when this is anything else. */
  String identifier() {
    return operand instanceof Operand.Identifier i ? i.name() : null;
  }

  /** The literal's value, or null when this is anything else. */
  Object literal() {
    return operand instanceof Operand.Literal l ? l.constant() : null;
  }
}
