package io.metaq.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a force is put off, and for whom it is not. */
class GroupPatienceTest {
  private final GroupPatience patience = new GroupPatience();

  @Test
  void oneSenderAloneNeverWaits() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(patience.othersAreComing(1)).isFalse();
    }
  }

  @Test
  void whereManyShareAForceAFewWaitForTheOthersSomeLooksAtTheSockets() {
    for (int i = 0; i < 20; i++) {
      patience.othersAreComing(8);
    }
    assertThat(patience.othersAreComing(2)).isTrue();
    assertThat(patience.othersAreComing(8)).isFalse();
  }

  @Test
  void whoIsLeftAloneWaitsAFewLooksAtATimeAndSoonNotAtAll() {
    for (int i = 0; i < 20; i++) {
      patience.othersAreComing(8);
    }
    int looks = 0;
    for (int forces = 0; forces < 100; forces++) {
      while (patience.othersAreComing(1)) {
        looks++;
      }
    }
    assertThat(looks).isBetween(1, 100);
    assertThat(patience.othersAreComing(1)).isFalse();
  }
}
