package io.metaq.selector;

import io.metaq.selector.Token.Kind;
import java.util.Locale;

/**
 * Cuts a selector into tokens.
 *
 * <p>Apart from the parser because the lexical rules are Java's (identifiers, numeric literals,
 * white space) while the grammar is SQL's.
 */
final class Lexer {

  private final String text;
  private int position;

  Lexer(String text) {
    this.text = text;
  }

  Token next() throws SelectorSyntaxException {
    while (position < text.length() && isWhitespace(text.charAt(position))) {
      position++;
    }
    if (position == text.length()) {
      return new Token(Kind.END, "", null, position);
    }
    char c = text.charAt(position);
    if (c == '\'') {
      return string();
    }
    if (isDigit(c) || c == '.' && position + 1 < text.length() && isDigit(at(position + 1))) {
      return number();
    }
    int codePoint = text.codePointAt(position);
    if (Character.isJavaIdentifierStart(codePoint)) {
      return word();
    }
    return symbol(c);
  }

  private Token string() throws SelectorSyntaxException {
    int start = position;
    StringBuilder content = new StringBuilder();
    int i = start + 1;
    while (true) {
      int quote = text.indexOf('\'', i);
      if (quote < 0) {
        throw new SelectorSyntaxException("String literal without closing quote", text, start);
      }
      content.append(text, i, quote);
      if (quote + 1 < text.length() && text.charAt(quote + 1) == '\'') {
        content.append('\'');
        i = quote + 2;
      } else {
        position = quote + 1;
        return new Token(Kind.STRING, content.toString(), null, start);
      }
    }
  }

  private Token number() throws SelectorSyntaxException {
    int start = position;
    int end = start;
    boolean hex = at(start) == '0' && start + 1 < text.length() && (at(start + 1) | 0x20) == 'x';
    while (end < text.length()) {
      char c = at(end);
      boolean exponentSign =
          (c == '+' || c == '-') && end > start && isExponentMark(at(end - 1), hex);
      // Number parsers trim control characters, which also count as (ignorable) identifier parts.
      boolean part = Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
      if (!part && c != '.' && !exponentSign) {
        break;
      }
      end++;
    }
    String literal = text.substring(start, end);
    Number value = NumericLiteral.parse(literal, false);
    // The magnitude of Long.MIN_VALUE is only legal behind a minus sign; the parser looks at it.
    if (value == null && NumericLiteral.parse(literal, true) == null) {
      throw new SelectorSyntaxException("'" + literal + "' is not a numeric literal", text, start);
    }
    position = end;
    return new Token(Kind.NUMBER, literal, value, start);
  }

  private static boolean isExponentMark(char c, boolean hex) {
    return (c | 0x20) == (hex ? 'p' : 'e');
  }

  private Token word() {
    int start = position;
    int end = start;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      if (!Character.isJavaIdentifierPart(codePoint)) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    position = end;
    String word = text.substring(start, end);
    return new Token(keyword(word), word, null, start);
  }

  private static Kind keyword(String word) {
    // Longer than every keyword: also keeps upper-casing away from long identifiers.
    if (word.length() > 7) {
      return Kind.IDENTIFIER;
    }
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "AND" -> Kind.AND;
      case "OR" -> Kind.OR;
      case "NOT" -> Kind.NOT;
      case "BETWEEN" -> Kind.BETWEEN;
      case "LIKE" -> Kind.LIKE;
      case "ESCAPE" -> Kind.ESCAPE;
      case "IN" -> Kind.IN;
      case "IS" -> Kind.IS;
      case "NULL" -> Kind.NULL;
      case "TRUE" -> Kind.TRUE;
      case "FALSE" -> Kind.FALSE;
      default -> Kind.IDENTIFIER;
    };
  }

  private Token symbol(char c) throws SelectorSyntaxException {
    char following = position + 1 < text.length() ? at(position + 1) : '\0';
    if (c == '<' && following == '>') {
      return symbol(Kind.NOT_EQUAL, 2);
    }
    if (c == '<' && following == '=') {
      return symbol(Kind.LESS_OR_EQUAL, 2);
    }
    if (c == '>' && following == '=') {
      return symbol(Kind.GREATER_OR_EQUAL, 2);
    }
    return switch (c) {
      case '=' -> symbol(Kind.EQUAL, 1);
      case '<' -> symbol(Kind.LESS, 1);
      case '>' -> symbol(Kind.GREATER, 1);
      case '+' -> symbol(Kind.PLUS, 1);
      case '-' -> symbol(Kind.MINUS, 1);
      case '*' -> symbol(Kind.TIMES, 1);
      case '/' -> symbol(Kind.DIVIDE, 1);
      case '(' -> symbol(Kind.OPEN, 1);
      case ')' -> symbol(Kind.CLOSE, 1);
      case ',' -> symbol(Kind.COMMA, 1);
      default -> throw new SelectorSyntaxException("Unexpected '" + c + "'", text, position);
    };
  }

  private Token symbol(Kind kind, int length) {
    int start = position;
    position += length;
    return new Token(kind, text.substring(start, position), null, start);
  }

  private char at(int index) {
    return text.charAt(index);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWhitespace(char c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '\r';
  }
}
