package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.Entry.Acked;
import io.metaq.broker.core.Entry.TransactionCommitted;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Entries that are journaled in pieces, such as the commit of very many acknowledgements. */
class EntryChainTest {
  private static final TransactionCommitted LARGE =
      new TransactionCommitted(
          new UUID(1, 2),
          3,
          4,
          LongStream.range(0, 50).<Entry>mapToObj(i -> new Acked(1, 2, 0, 2 * i, 2 * i)).toList());

  private final EntryChain chain = new EntryChain(1_000);

  private List<Entry> completed(List<Entry> journal) {
    List<Entry> done = new ArrayList<>();
    journal.forEach(entry -> chain.complete(entry).ifPresent(done::add));
    return done;
  }

  @Test
  void piecesMakeTheEntryOnlyTogether() {
    List<Entry> pieces = chain.split(LARGE);
    assertThat(pieces).hasSizeGreaterThan(3);
    assertThat(completed(pieces.subList(0, pieces.size() - 1))).isEmpty();
    assertThat(completed(pieces)).containsExactly(LARGE);
  }

  @Test
  void aSmallEntryIsItself() {
    assertThat(chain.split(new Acked(1, 2, 0, 5, 5))).containsExactly(new Acked(1, 2, 0, 5, 5));
  }

  @Test
  void anEndWithoutItsBeginningIsNothing() {
    List<Entry> pieces = chain.split(LARGE);
    assertThat(completed(pieces.subList(1, pieces.size()))).isEmpty();
  }

  @Test
  void piecesThatACrashCutOffDoNotJoinTheNextEntry() {
    List<Entry> pieces = chain.split(LARGE);
    List<Entry> journal = new ArrayList<>(pieces.subList(0, 2));
    journal.addAll(pieces);
    assertThat(completed(journal)).containsExactly(LARGE);
  }
}
