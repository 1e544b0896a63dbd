package io.metaq.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorParsingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a =",
        "= 1",
        "a = 1 AND",
        "a = 1 b = 2",
        "a == 1",
        "a != 1",
        "a = 'x",
        "a = \"x\"",
        "(a = 1",
        "a = 1)",
        "a = 1 = 1",
        "()",
        "1a = 2",
        "%a IS NULL",
        "a.b = 1",
        "a = 09",
        "a = 0x",
        "a = 1e",
        "a = 1..2",
        "a = 1_",
        "a = 9223372036854775808",
        "a = -9223372036854775809",
        "a = 1e999",
        "NULL = zero",
        "TRUE > 0",
        "NOT > 0",
        "AND > 0",
        "BETWEEN = 1",
        "ESCAPE IS NULL",
        "a IS 1",
        "a NOT NULL",
        "a NOT = 1",
        "a IN ()",
        "a IN 'x'",
        "a IN ('x',)",
        "a IN (1)",
        "a IN ('x', 1)",
        "'x' IN ('x')",
        "1 IN ('x')",
        "a LIKE 1",
        "a LIKE b",
        "'x' LIKE 'x'",
        "a LIKE 'x' ESCAPE 'ab'",
        "a LIKE 'x' ESCAPE ''",
        "a LIKE 'x!' ESCAPE '!'",
        "a BETWEEN 1",
        "a BETWEEN 1 OR 2",
        "a BETWEEN 'x' AND 'y'",
        "'a' BETWEEN 1 AND 2",
        "a BETWEEN TRUE AND 2",
        "a > 'x'",
        "a < TRUE",
        "JMSType > 'x'",
        "JMSType = 1",
        "JMSPriority = 'high'",
        "JMSPriority LIKE '4'",
        "JMSPriority IN ('4')",
        "JMSDeliveryMode = 2",
        "TRUE = 0",
        "'x' = 1",
        "a + 'x' = 1",
        "-'x' = 1",
        "a + TRUE = 1",
        "1",
        "'x'",
        "a + 1",
        "JMSType",
        "NOT 1",
        "a AND 1",
        "1 IS NULL",
        "(a = 1) IS NULL",
        "JMSDestination = 'x'",
        "JMSReplyTo IS NULL",
        "JMSRedelivered = TRUE",
        "JMSExpiration = 0",
        "JMSFoo = 1",
        "a = 1 /* comment */",
        "a = 1;",
        "a = ?",
        "a\u00A0= 1",
      })
  void theseAreRefused(String selector) {
    assertThatThrownBy(() -> Selector.parse(selector))
        .isInstanceOf(SelectorSyntaxException.class)
        .hasMessageContaining("at position");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a = 1 AND (b = | 14", "a = 1 AND b > 'x' | 14", "JMSFoo IS NULL | 0", "a = 'x | 4"})
  void anErrorNamesThePositionOfTheFault(String selector, int position) {
    SelectorSyntaxException e =
        catchThrowableOfType(SelectorSyntaxException.class, () -> Selector.parse(selector));
    assertThat(e.position()).isEqualTo(position);
    assertThat(e).hasMessageContaining(selector);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\n"})
  void anEmptySelectorMatchesEveryMessage(String selector) throws SelectorSyntaxException {
    assertThat(Selector.parse(selector).matchesAll()).isTrue();
    assertThat(Selector.parse(selector).matches(name -> null)).isTrue();
    assertThat(Selector.parse(null).matchesAll()).isTrue();
  }

  @Test
  void bracketsNestedTooDeeplyAreRefusedAndOthersEvaluate() throws SelectorSyntaxException {
    String allowed = "(".repeat(200) + "a" + ")".repeat(200);
    assertThat(Selector.parse(allowed).matches(name -> true)).isTrue();
    String mixed = "NOT (-(1) = 1 OR ".repeat(100) + "a" + ")".repeat(100);
    assertThat(Selector.parse(mixed).matches(name -> true)).isTrue();
    String tooDeep = "(".repeat(30_000) + "a" + ")".repeat(30_000);
    assertThatThrownBy(() -> Selector.parse(tooDeep))
        .isInstanceOf(SelectorSyntaxException.class)
        .hasMessageContaining("brackets");
  }

  @Test
  void anOverlongSelectorIsRefused() {
    String selector = "a = '" + "x".repeat(Selector.MAX_LENGTH) + "'";
    assertThatThrownBy(() -> Selector.parse(selector))
        .isInstanceOf(SelectorSyntaxException.class)
        .hasMessageContaining("Longer than");
  }

  @Test
  void anEqualityInAChainOfAndsIsOfferedToAnIndex() throws SelectorSyntaxException {
    String id = "JMSCorrelationID";
    assertThat(Selector.parse("JMSCorrelationID = 'x'").equalityOn(id)).contains("x");
    assertThat(Selector.parse("'x' = JMSCorrelationID").equalityOn(id)).contains("x");
    assertThat(
            Selector.parse("a > 1 AND (b OR c) AND ((JMSCorrelationID = 'x') AND d)")
                .equalityOn(id))
        .contains("x");
    assertThat(Selector.parse("JMSCorrelationID <> 'x'").equalityOn(id)).isEmpty();
    assertThat(Selector.parse("NOT JMSCorrelationID = 'x'").equalityOn(id)).isEmpty();
    assertThat(Selector.parse("JMSCorrelationID = 'x' OR a").equalityOn(id)).isEmpty();
    assertThat(Selector.parse("JMSCorrelationID = 'x'").equalityOn("JMSMessageID")).isEmpty();
  }

  @Test
  void theIdentifiersAreListedInOrderOfAppearance() throws SelectorSyntaxException {
    assertThat(Selector.parse("b = 1 AND JMSType LIKE 'x' OR b = a").identifiers())
        .containsExactly("b", "JMSType", "a");
  }

  @Test
  void aRandomSelectorParsesOrIsRefusedAndNeverFailsOtherwise() {
    String[] words = {
      "a",
      "JMSType",
      "JMSPriority",
      "b",
      "1",
      "2.5",
      "0x1F",
      "'x'",
      "'%_'",
      "TRUE",
      "FALSE",
      "NULL",
      "AND",
      "OR",
      "NOT",
      "BETWEEN",
      "LIKE",
      "IN",
      "IS",
      "ESCAPE",
      "=",
      "<>",
      "<",
      ">=",
      "+",
      "-",
      "*",
      "/",
      "(",
      ")",
      ",",
      "'",
      "\u0000",
      "\uD800",
      "é",
      "9223372036854775808"
    };
    Object[] values = {null, 1, 2L, 2.5f, 0.0, "x", "", true, (byte) 1};
    Random random = new Random(20240229);
    int parsed = 0;
    for (int n = 0; n < 200_000; n++) {
      StringBuilder text = new StringBuilder();
      int length = 1 + random.nextInt(9);
      for (int i = 0; i < length; i++) {
        text.append(words[random.nextInt(words.length)]).append(random.nextInt(8) == 0 ? "" : " ");
      }
      try {
        Selector selector = Selector.parse(text.toString());
        selector.matches(name -> values[random.nextInt(values.length)]);
        parsed++;
      } catch (SelectorSyntaxException e) {
        assertThat(e.position()).isBetween(0, text.length());
      }
    }
    assertThat(parsed).isGreaterThan(1_000);
  }
}
