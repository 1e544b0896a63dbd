package io.metaq.selector;

/**
 * One lexical element of a selector.
 *
 * @param kind what it is
 * @param text the word or symbol as written; for a string literal its content without quotes
 * @param number the value of a numeric literal, else null
 * @param position index of its first character
 */
record Token(Kind kind, String text, Number number, int position) {

  enum Kind {
    IDENTIFIER,
    STRING,
    NUMBER,
    AND,
    OR,
    NOT,
    BETWEEN,
    LIKE,
    ESCAPE,
    IN,
    IS,
    NULL,
    TRUE,
    FALSE,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    OPEN,
    CLOSE,
    COMMA,
    END
  }

  /** How the element is called in an error message. */
  String shown() {
    return switch (kind) {
      case END -> "the end";
      case STRING -> "string literal '" + text + "'";
      default -> "'" + text + "'";
    };
  }
}
