package io.metaq.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IntegerExpressionTest {

  @ParameterizedTest
  @CsvSource({
    "42, 42",
    "64*1024*1024, 67108864",
    "1 + 2 * 3, 7",
    "(1 + 2) * 3, 9",
    "10 - 2 - 3, 5",
    "7 / 2, 3",
    "7 % 4, 3",
    "-1, -1",
    "- (2 - 5), 3",
    "9223372036854775807, 9223372036854775807"
  })
  void arithmeticOverIntegersIsComputed(String text, long value) {
    assertThat(IntegerExpression.evaluate(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1 +", "2 3", "1.5", "(1", "1)", "0x10", "ten", "1; 2", "9223372036854775808"})
  void whatIsNoIntegerExpressionIsRefused(String text) {
    assertThatThrownBy(() -> IntegerExpression.evaluate(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void anOverflowOrADivisionByZeroIsAnErrorAndNoNumber() {
    assertThatThrownBy(() -> IntegerExpression.evaluate("9223372036854775807 + 1"))
        .hasMessageContaining("cannot be computed");
    assertThatThrownBy(() -> IntegerExpression.evaluate("1 / 0"))
        .hasMessageContaining("cannot be computed");
  }
}
