package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The bounds of the index that finds a reply on a shared queue. */
class CorrelationIndexTest {
  private static final int SPAN = 4096;
  private static final int MOST = 256 * SPAN;

  private final CorrelationIndex index = new CorrelationIndex();

  private void fill(long from, long to) {
    for (long sequence = from; sequence < to; sequence++) {
      index.add(sequence, CorrelationIndex.hash("id" + sequence));
    }
  }

  private long find(long sequence) {
    return index.find(CorrelationIndex.hash("id" + sequence), sequence);
  }

  @Test
  void theNewestMillionIsFoundAndWhatIsOlderIsSaidNotToBe() {
    fill(0, MOST);
    assertThat(index.from()).isZero();
    assertThat(find(0)).isZero();
    assertThat(find(MOST - 1)).isEqualTo(MOST - 1);
    fill(MOST, MOST + 1);
    assertThat(index.from()).isEqualTo(SPAN);
    assertThat(find(SPAN)).isEqualTo(SPAN);
    assertThat(find(MOST)).isEqualTo(MOST);
  }

  @Test
  void spansWithoutCorrelationIdsCostNothing() {
    fill(0, 1);
    for (long sequence = 1; sequence < 3L * MOST; sequence++) {
      index.add(sequence, 0);
    }
    fill(3L * MOST, 3L * MOST + 1);
    assertThat(index.from()).isZero();
    assertThat(find(0)).isZero();
    assertThat(find(3L * MOST)).isEqualTo(3L * MOST);
  }
}
