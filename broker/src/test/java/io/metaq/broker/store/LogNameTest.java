package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogNameTest {

  @Test
  void plainNamesAreMetaQsDirectories() {
    assertThat(new LogName("meta-test.Topic_1", 12).directory()).isEqualTo("meta-test.Topic_1-12");
  }

  @Test
  void anyNameIsSafeAndComesBack() {
    for (String name :
        List.of(
            "a/b",
            "..",
            ".",
            ".hidden",
            "a:b*?\"<>|",
            "Bücher und Grüße",
            "日本",
            "100%",
            "a b",
            "x\0y",
            "-",
            "\uD83D\uDE00",
            "con-3")) {
      String directory = new LogName(name, 3).directory();
      assertThat(directory).matches("[A-Za-z0-9_.%-]+").doesNotStartWith(".");
      assertThat(LogName.parse(directory)).contains(new LogName(name, 3));
    }
  }

  @Test
  void longNamesFitAndStayDifferent() {
    Set<String> directories = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      String directory = new LogName("ü".repeat(300) + i, 0).directory();
      assertThat(directory.length()).isLessThan(255);
      directories.add(directory);
    }
    assertThat(directories).hasSize(100);
  }

  /** M3: MetaQ keeps other things beside its partition directories. */
  @Test
  void otherDirectoriesAreNoPartitions() {
    assertThat(LogName.parse("transactions")).isEmpty();
    assertThat(LogName.parse("-1")).isEmpty();
    assertThat(LogName.parse("a-b")).isEmpty();
    assertThat(LogName.parse("a%zz-1")).isEmpty();
    assertThat(LogName.parse("a-99999999999")).isEmpty();
  }

  @Test
  void aLoneSurrogateIsRefused() {
    assertThatThrownBy(() -> new LogName("\uD800", 0).directory())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
