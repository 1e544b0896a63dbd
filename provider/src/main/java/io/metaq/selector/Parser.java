package io.metaq.selector;

import io.metaq.selector.Term.Type;
import io.metaq.selector.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Recursive-descent parser that compiles a selector and checks its types.
 *
 * <p>What is ill-typed by its text alone is refused here, at the position of the fault; what only a
 * message can tell is left to the evaluation. Chains of one operator become one node and signs and
 * NOTs are counted in loops, so that only brackets nest, and their depth is limited: no selector
 * overflows the stack, here or when it is evaluated.
 */
final class Parser {

  private static final int MAX_DEPTH = 200;

  private static final Set<String> STRING_HEADERS =
      Set.of("JMSDeliveryMode", "JMSMessageID", "JMSCorrelationID", "JMSType");
  private static final Set<String> NUMBER_HEADERS = Set.of("JMSPriority", "JMSTimestamp");

  private final String text;
  private final Lexer lexer;
  private final Set<String> identifiers = new LinkedHashSet<>();
  private Token token;
  private int depth;

  Parser(String text) {
    this.text = text;
    this.lexer = new Lexer(text);
  }

  Condition parse() throws SelectorSyntaxException {
    advance();
    Term term = disjunction();
    if (token.kind() != Kind.END) {
      throw unexpected("an operator or the end");
    }
    return condition(term);
  }

  /** The identifiers seen, in order of appearance. */
  Set<String> identifiers() {
    return identifiers;
  }

  private Term disjunction() throws SelectorSyntaxException {
    Term first = conjunction();
    if (token.kind() != Kind.OR) {
      return first;
    }
    List<Condition> parts = new ArrayList<>();
    parts.add(condition(first));
    while (accept(Kind.OR)) {
      parts.add(condition(conjunction()));
    }
    return Term.condition(new Condition.Or(parts.toArray(Condition[]::new)), first.position());
  }

  private Term conjunction() throws SelectorSyntaxException {
    Term first = negation();
    if (token.kind() != Kind.AND) {
      return first;
    }
    List<Condition> parts = new ArrayList<>();
    parts.add(condition(first));
    while (accept(Kind.AND)) {
      parts.add(condition(negation()));
    }
    return Term.condition(new Condition.And(parts.toArray(Condition[]::new)), first.position());
  }

  private Term negation() throws SelectorSyntaxException {
    int start = token.position();
    int negations = 0;
    while (accept(Kind.NOT)) {
      negations++;
    }
    Term term = comparison();
    if (negations == 0) {
      return term;
    }
    Condition condition = condition(term);
    return Term.condition(negateIf(negations % 2 == 1, condition), start);
  }

  private Term comparison() throws SelectorSyntaxException {
    Term left = sum();
    Comparison.Operator operator = comparisonOperator(token.kind());
    if (operator != null) {
      int position = token.position();
      advance();
      return Term.condition(compare(left, operator, sum(), position), left.position());
    }
    if (accept(Kind.IS)) {
      boolean negated = accept(Kind.NOT);
      expect(Kind.NULL, "NULL");
      String name = identifierOf(left, "IS NULL");
      return Term.condition(negateIf(negated, new Membership.IsNull(name)), left.position());
    }
    boolean negated = accept(Kind.NOT);
    if (accept(Kind.BETWEEN)) {
      return Term.condition(between(left, negated), left.position());
    }
    if (accept(Kind.IN)) {
      return Term.condition(negateIf(negated, in(left)), left.position());
    }
    if (accept(Kind.LIKE)) {
      return Term.condition(negateIf(negated, like(left)), left.position());
    }
    if (negated) {
      throw unexpected("BETWEEN, IN or LIKE");
    }
    return left;
  }

  private Condition compare(Term left, Comparison.Operator operator, Term right, int position)
      throws SelectorSyntaxException {
    if (operator.isOrdering()) {
      requireNumber(left, "compared by order");
      requireNumber(right, "compared by order");
    } else if (!left.type().mayBe(right.type())) {
      String what = left.type().shown() + " cannot be compared with " + right.type().shown();
      throw error("Ill-typed: " + what, position);
    }
    if (left.literal() != null && right.literal() == null) {
      return compare(right, operator.swapped(), left);
    }
    return compare(left, operator, right);
  }

  /** Chooses the cheapest node; a literal, if there is just one, stands on the right. */
  private static Condition compare(Term left, Comparison.Operator operator, Term right) {
    if (right.literal() instanceof String s && left.identifier() != null) {
      boolean equal = operator == Comparison.Operator.EQUAL;
      return new Comparison.WithString(left.identifier(), equal, s);
    }
    if (right.literal() instanceof Integer || right.literal() instanceof Long) {
      Number n = (Number) right.literal();
      return new Comparison.WithExact(left.asOperand(), operator, n.longValue(), n);
    }
    return new Comparison.Of(left.asOperand(), operator, right.asOperand());
  }

  private Condition between(Term value, boolean negated) throws SelectorSyntaxException {
    requireNumber(value, "tested by BETWEEN");
    Term low = sum();
    requireNumber(low, "a bound of BETWEEN");
    expect(Kind.AND, "AND");
    Term high = sum();
    requireNumber(high, "a bound of BETWEEN");
    return negated
        ? new Comparison.NotBetween(value.asOperand(), low.asOperand(), high.asOperand())
        : new Comparison.Between(value.asOperand(), low.asOperand(), high.asOperand());
  }

  private Condition in(Term value) throws SelectorSyntaxException {
    String name = stringIdentifierOf(value, "IN");
    expect(Kind.OPEN, "'('");
    Set<String> members = new HashSet<>();
    do {
      members.add(stringLiteral());
    } while (accept(Kind.COMMA));
    expect(Kind.CLOSE, "',' or ')'");
    return new Membership.In(name, members);
  }

  private Condition like(Term value) throws SelectorSyntaxException {
    String name = stringIdentifierOf(value, "LIKE");
    int position = token.position();
    String pattern = stringLiteral();
    int escape = -1;
    if (accept(Kind.ESCAPE)) {
      int escapePosition = token.position();
      String character = stringLiteral();
      if (character.isEmpty() || character.codePointCount(0, character.length()) != 1) {
        throw error("ESCAPE takes a string of one character", escapePosition);
      }
      escape = character.codePointAt(0);
    }
    LikePattern compiled = LikePattern.compile(pattern, escape);
    if (compiled == null) {
      throw error("The LIKE pattern ends in its escape character", position);
    }
    return new Membership.Like(name, compiled);
  }

  private Term sum() throws SelectorSyntaxException {
    Term first = product();
    if (token.kind() != Kind.PLUS && token.kind() != Kind.MINUS) {
      return first;
    }
    List<Arithmetic.Operator> operators = new ArrayList<>();
    List<Operand> operands = new ArrayList<>();
    while (token.kind() == Kind.PLUS || token.kind() == Kind.MINUS) {
      boolean plus = token.kind() == Kind.PLUS;
      advance();
      operators.add(plus ? Arithmetic.Operator.ADD : Arithmetic.Operator.SUBTRACT);
      operands.add(number(product()));
    }
    return chain(first, operators, operands);
  }

  private Term product() throws SelectorSyntaxException {
    Term first = signed();
    if (token.kind() != Kind.TIMES && token.kind() != Kind.DIVIDE) {
      return first;
    }
    List<Arithmetic.Operator> operators = new ArrayList<>();
    List<Operand> operands = new ArrayList<>();
    while (token.kind() == Kind.TIMES || token.kind() == Kind.DIVIDE) {
      boolean times = token.kind() == Kind.TIMES;
      advance();
      operators.add(times ? Arithmetic.Operator.MULTIPLY : Arithmetic.Operator.DIVIDE);
      operands.add(number(signed()));
    }
    return chain(first, operators, operands);
  }

  private Term chain(Term first, List<Arithmetic.Operator> operators, List<Operand> operands)
      throws SelectorSyntaxException {
    Operand chain =
        new Arithmetic.Chain(
            number(first),
            operators.toArray(Arithmetic.Operator[]::new),
            operands.toArray(Operand[]::new));
    return Term.value(Type.NUMBER, chain, first.position());
  }

  private Term signed() throws SelectorSyntaxException {
    int start = token.position();
    boolean signs = false;
    boolean negative = false;
    while (token.kind() == Kind.PLUS || token.kind() == Kind.MINUS) {
      signs = true;
      boolean minus = token.kind() == Kind.MINUS;
      advance();
      if (minus && token.kind() == Kind.NUMBER) {
        // The sign belongs to the literal: only so can Long.MIN_VALUE be written.
        Number literal = NumericLiteral.parse(token.text(), true);
        advance();
        Operand operand = new Operand.Literal(literal);
        return Term.value(Type.NUMBER, negative ? new Arithmetic.Negated(operand) : operand, start);
      }
      negative ^= minus;
    }
    Term term = primary();
    if (!signs) {
      return term;
    }
    Operand operand = number(term);
    if (negative) {
      operand = new Arithmetic.Negated(operand);
    } else if (term.literal() == null) {
      operand = new Arithmetic.NumberOnly(operand);
    }
    return Term.value(Type.NUMBER, operand, start);
  }

  private Term primary() throws SelectorSyntaxException {
    Token start = token;
    switch (start.kind()) {
      case NUMBER -> {
        if (start.number() == null) {
          throw error("The number " + start.text() + " is out of range", start.position());
        }
        advance();
        return Term.value(Type.NUMBER, new Operand.Literal(start.number()), start.position());
      }
      case STRING -> {
        advance();
        return Term.value(Type.STRING, new Operand.Literal(start.text()), start.position());
      }
      case TRUE, FALSE -> {
        advance();
        boolean truth = start.kind() == Kind.TRUE;
        return Term.condition(new Condition.Constant(truth), start.position());
      }
      case IDENTIFIER -> {
        advance();
        return identifier(start);
      }
      case OPEN -> {
        return bracketed();
      }
      default -> throw unexpected("an identifier, a literal or '('");
    }
  }

  private Term bracketed() throws SelectorSyntaxException {
    if (++depth > MAX_DEPTH) {
      throw error("More than " + MAX_DEPTH + " brackets inside one another", token.position());
    }
    advance();
    Term inner = disjunction();
    expect(Kind.CLOSE, "')'");
    depth--;
    return inner;
  }

  private Term identifier(Token name) throws SelectorSyntaxException {
    identifiers.add(name.text());
    Operand operand = new Operand.Identifier(name.text());
    if (STRING_HEADERS.contains(name.text())) {
      return Term.value(Type.STRING, operand, name.position());
    }
    if (NUMBER_HEADERS.contains(name.text())) {
      return Term.value(Type.NUMBER, operand, name.position());
    }
    boolean reserved = name.text().startsWith("JMS");
    if (reserved && !name.text().startsWith("JMSX") && !name.text().startsWith("JMS_")) {
      String allowed =
          "JMSDeliveryMode, JMSPriority, JMSMessageID, JMSTimestamp, JMSCorrelationID and JMSType";
      throw error(
          "A selector cannot refer to " + name.text() + ", only to the header fields " + allowed,
          name.position());
    }
    return Term.value(Type.ANY, operand, name.position());
  }

  private Condition condition(Term term) throws SelectorSyntaxException {
    if (!term.type().mayBe(Type.BOOLEAN)) {
      throw error("Ill-typed: " + term.type().shown() + " is not a condition", term.position());
    }
    return term.asCondition();
  }

  private Operand number(Term term) throws SelectorSyntaxException {
    requireNumber(term, "used in arithmetic");
    return term.asOperand();
  }

  private void requireNumber(Term term, String use) throws SelectorSyntaxException {
    if (!term.type().mayBe(Type.NUMBER)) {
      String problem = "Ill-typed: " + term.type().shown() + " cannot be " + use;
      throw error(problem, term.position());
    }
  }

  private String stringIdentifierOf(Term term, String operator) throws SelectorSyntaxException {
    String name = identifierOf(term, operator);
    if (!term.type().mayBe(Type.STRING)) {
      String problem = "Ill-typed: " + operator + " tests strings, not " + term.type().shown();
      throw error(problem, term.position());
    }
    return name;
  }

  private String identifierOf(Term term, String operator) throws SelectorSyntaxException {
    if (term.identifier() == null) {
      throw error(operator + " must stand behind an identifier", term.position());
    }
    return term.identifier();
  }

  private String stringLiteral() throws SelectorSyntaxException {
    if (token.kind() != Kind.STRING) {
      throw unexpected("a string literal");
    }
    String literal = token.text();
    advance();
    return literal;
  }

  private static Condition negateIf(boolean negated, Condition condition) {
    return negated ? new Condition.Not(condition) : condition;
  }

  private static Comparison.Operator comparisonOperator(Kind kind) {
    return switch (kind) {
      case EQUAL -> Comparison.Operator.EQUAL;
      case NOT_EQUAL -> Comparison.Operator.NOT_EQUAL;
      case LESS -> Comparison.Operator.LESS;
      case LESS_OR_EQUAL -> Comparison.Operator.LESS_OR_EQUAL;
      case GREATER -> Comparison.Operator.GREATER;
      case GREATER_OR_EQUAL -> Comparison.Operator.GREATER_OR_EQUAL;
      default -> null;
    };
  }

  private boolean accept(Kind kind) throws SelectorSyntaxException {
    if (token.kind() != kind) {
      return false;
    }
    advance();
    return true;
  }

  private void expect(Kind kind, String shown) throws SelectorSyntaxException {
    if (!accept(kind)) {
      throw unexpected(shown);
    }
  }

  private void advance() throws SelectorSyntaxException {
    token = lexer.next();
  }

  private SelectorSyntaxException unexpected(String expected) {
    return error("Expected " + expected + " but found " + token.shown(), token.position());
  }

  private SelectorSyntaxException error(String problem, int position) {
    return new SelectorSyntaxException(problem, text, position);
  }
}
