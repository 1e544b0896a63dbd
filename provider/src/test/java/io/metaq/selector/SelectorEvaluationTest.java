package io.metaq.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorEvaluationTest {

  private static final Map<String, Object> MESSAGE = new HashMap<>();

  static {
    MESSAGE.put("JMSDeliveryMode", "PERSISTENT");
    MESSAGE.put("JMSPriority", 4);
    MESSAGE.put("JMSType", "car");
    MESSAGE.put("JMSCorrelationID", "it''s not".replace("''", "'"));
    MESSAGE.put("b", (byte) 7);
    MESSAGE.put("s", (short) 300);
    MESSAGE.put("i", 5);
    MESSAGE.put("l", 3_000_000_000L);
    MESSAGE.put("f", 0.1f);
    MESSAGE.put("d", 2.5d);
    MESSAGE.put("t", true);
    MESSAGE.put("u", false);
    MESSAGE.put("word", "lose");
    MESSAGE.put("digits", "2");
    MESSAGE.put("max", Integer.MAX_VALUE);
    MESSAGE.put("min", Long.MIN_VALUE);
    MESSAGE.put("nan", Double.NaN);
    MESSAGE.put("smile", "\uD83D\uDE00");
    MESSAGE.put("$odd_name1", "x");
  }

  private static int test(String selector) throws SelectorSyntaxException {
    boolean matches = Selector.parse(selector).matches(MESSAGE::get);
    boolean negationMatches = Selector.parse("NOT (" + selector + ")").matches(MESSAGE::get);
    assertThat(matches && negationMatches).as("both true: %s", selector).isFalse();
    return matches ? Condition.TRUE : negationMatches ? Condition.FALSE : Condition.UNKNOWN;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i = 5",
        "5 = i",
        "i<6 AND i>4",
        "4 < i",
        "i >= 5 and i <= 5",
        "i <> 4",
        "b = 7 AND s = 300",
        "l = 3000000000",
        "l > 2999999999L",
        "i = 5.0",
        "d = 2.5 AND d = 25e-1 AND d = +2.5",
        "i = 0x5 AND i = 05 AND i = 0b101 AND i = 5L",
        "l = 3_000_000_000",
        "l = 0xB2D05E00",
        "7. = b",
        "7 = .7e1",
        "d = 0x1.4p1",
        "f = 0.1f",
        "i + 1 = 6",
        "i * 2 - 1 = 9",
        "(i + 1) * 2 = 12",
        "i - 2 - 2 = 1",
        "i / 2 = 2",
        "i / 2.0 = 2.5",
        "-i = -5",
        "- - i = 5",
        "+i = 5",
        "-(i + 1) = -6",
        "min = -9223372036854775808",
        "max + 1 = -2147483648",
        "max + 1L = 2147483648",
        "d / 0 > 1",
        "nan <> nan",
        "i BETWEEN 1 AND 5",
        "i NOT BETWEEN 6 AND 9",
        "i BETWEEN d AND 5 + 0",
        "t",
        "NOT u",
        "t AND NOT u",
        "t = TRUE AND u = false",
        "t <> u",
        "(i = 5) = TRUE",
        "word = 'lose'",
        "'lose' = word",
        "word <> 'loose'",
        "JMSCorrelationID = 'it''s not'",
        "JMSType = 'car' AND JMSPriority > 3",
        "JMSDeliveryMode = 'PERSISTENT'",
        "JMSDeliveryMode <> 'NON_PERSISTENT'",
        "JMSDeliveryMode IN ('PERSISTENT')",
        "word IN ('x', 'lose')",
        "word NOT IN ('x')",
        "word LIKE 'l_se'",
        "word LIKE 'l%'",
        "word LIKE '%'",
        "word LIKE '%o%e%'",
        "word NOT LIKE 'l_'",
        "smile LIKE '_'",
        "missing IS NULL",
        "word IS NOT NULL",
        "JMSXGroupID IS NULL AND JMS_MetaQ_x IS NULL",
        "$odd_name1 = 'x'",
        "Word IS NULL",
        "i = 4 OR i = 5 OR missing = 1",
        "missing = 1 OR t",
        "i\t=\n5\f",
        "TRUE",
        "NOT NOT TRUE",
        "1 = 1",
        "'a' = 'a'",
      })
  void theseAreTrue(String selector) throws SelectorSyntaxException {
    assertThat(test(selector)).isEqualTo(Condition.TRUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i = 4",
        "i <> 5",
        "digits > 1",
        "digits = 2",
        "digits <> 2",
        "i = 'x'",
        "word <> 5",
        "t = 'true'",
        "word = TRUE",
        "word > digits",
        "t > u",
        "digits BETWEEN 1 AND 3",
        "digits NOT BETWEEN 1 AND 3",
        "f = 0.1",
        "nan = nan",
        "word LIKE 'l_'",
        "word LIKE ''",
        "word IN ('x')",
        "word IS NULL",
        "u",
        "u AND missing = 1",
        "missing = 1 AND u",
        "FALSE",
      })
  void theseAreFalse(String selector) throws SelectorSyntaxException {
    assertThat(test(selector)).isEqualTo(Condition.FALSE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing = 1",
        "missing <> 1",
        "missing = 'x'",
        "missing",
        "missing > i",
        "i / 0 = 1",
        "l / 0 = 1",
        "missing + 1 = 1",
        "digits + 1 = 3",
        "-digits = -2",
        "+digits = 2",
        "missing BETWEEN 1 AND 2",
        "missing NOT BETWEEN 1 AND 2",
        "missing LIKE 'x'",
        "missing NOT LIKE 'x'",
        "missing IN ('x')",
        "missing NOT IN ('x')",
        "i LIKE '5'",
        "i NOT LIKE '5'",
        "i IN ('5')",
        "i NOT IN ('x')",
        "word",
        "i",
        "t AND missing = 1",
        "u OR missing = 1",
        "JMSMessageID = 'ID:1'",
      })
  void theseAreUnknown(String selector) throws SelectorSyntaxException {
    assertThat(test(selector)).isEqualTo(Condition.UNKNOWN);
  }

  @Test
  void andOrAndNotFollowTheTruthTables() throws SelectorSyntaxException {
    String[] values = {"u", "missing", "t"};
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        assertThat(test(values[a] + " AND " + values[b])).isEqualTo(Math.min(a, b) - 1);
        assertThat(test(values[a] + " OR " + values[b])).isEqualTo(Math.max(a, b) - 1);
      }
    }
  }

  @Test
  void notBindsTighterThanAndAndAndTighterThanOr() throws SelectorSyntaxException {
    assertThat(test("NOT u AND u")).isEqualTo(Condition.FALSE);
    assertThat(test("t OR t AND u")).isEqualTo(Condition.TRUE);
    assertThat(test("(t OR t) AND u")).isEqualTo(Condition.FALSE);
  }

  @ParameterizedTest
  @CsvSource({
    "12%3, 123, true",
    "12%3, 12993, true",
    "12%3, 1234, false",
    "%, '', true",
    "_, '', false",
    "%%%, abc, true",
    "a%b%c, aXbXbc, true",
    "a%b%c, aXcXb, false",
    "%ab, aab, true",
    "%_b, b, false",
    "_%_, ab, true",
    "_%_, a, false",
    "a.c, abc, false",
    "[a], a, false",
  })
  void likePatternsMatchAsSqlSays(String pattern, String text, boolean expected) {
    assertThat(LikePattern.compile(pattern, -1).matches(text)).isEqualTo(expected);
  }

  @Test
  void theEscapeCharacterMakesWildcardsLiteral() throws SelectorSyntaxException {
    Selector selector = Selector.parse("p LIKE '\\_%' ESCAPE '\\'");
    assertThat(selector.matches(name -> "_foo")).isTrue();
    assertThat(selector.matches(name -> "bar")).isFalse();
    assertThat(Selector.parse("p LIKE '50!%!!' ESCAPE '!'").matches(name -> "50%!")).isTrue();
  }

  @Test
  void aLikePatternOfManyWildcardsTakesNoExponentialTime() throws SelectorSyntaxException {
    String text = "a".repeat(5_000);
    Selector selector = Selector.parse("p LIKE '" + "%a".repeat(200) + "%b'");
    assertTimeoutPreemptively(
        Duration.ofSeconds(5), () -> assertThat(selector.matches(name -> text)).isFalse());
  }

  @Test
  void aWideSelectorEvaluatesWithoutDeepRecursion() throws SelectorSyntaxException {
    String sum = "1" + "+1".repeat(20_000) + " = 20001";
    assertThat(Selector.parse(sum).matches(name -> null)).isTrue();
    String or = "a = 1" + " OR a = 1".repeat(5_000);
    assertThat(Selector.parse(or).matches(name -> 1)).isTrue();
    assertThat(Selector.parse("NOT ".repeat(10_000) + "a").matches(name -> true)).isTrue();
    assertThat(Selector.parse("-".repeat(10_000) + "a = 1").matches(name -> 1)).isTrue();
  }
}
