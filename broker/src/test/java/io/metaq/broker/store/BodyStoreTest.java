package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BodyStoreTest {
  private final SimulatedDisk disk = new SimulatedDisk(21);

  private static BodyRef write(BodyStore store, long id, byte[] body) throws IOException {
    BodyStore.Writer writer = store.create(id);
    for (int at = 0; at < body.length; at += 1000) {
      writer.write(ByteBuffer.wrap(body, at, Math.min(1000, body.length - at)));
    }
    return writer.seal();
  }

  private static byte[] body(int length) {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    return body;
  }

  /** M5 */
  @Test
  void aSealedBodySurvivesAPowerCut() throws IOException {
    byte[] body = body(1_234_567);
    BodyRef ref = write(new BodyStore(disk, 8), 42, body);
    for (int i = 0; i < 10; i++) {
      BodyStore again = new BodyStore(disk.afterPowerCut(), 8);
      assertThat(again.verify(ref)).isEmpty();
      ByteBuffer range = ByteBuffer.allocate(5000);
      assertThat(again.read(42, 1_000_000, range)).isEqualTo(5000);
      assertThat(range.array()).isEqualTo(Arrays.copyOfRange(body, 1_000_000, 1_005_000));
      assertThat(again.read(42, body.length, ByteBuffer.allocate(10))).isZero();
    }
  }

  /** S6 at the level of the store: a kill at each phase leaves nothing behind. */
  @Test
  void whateverACrashLeavesIsRemovedUnlessSomethingRefersToIt() throws IOException {
    for (long k = 1; k < 30; k++) {
      SimulatedDisk one = new SimulatedDisk(k);
      BodyStore store = new BodyStore(one, 8);
      BodyRef live = write(store, 1, body(3000));
      one.crashAtOperation(one.operations() + k);
      try {
        write(store, 2, body(5000));
        store.create(3).write(ByteBuffer.wrap(body(2000)));
        write(store, 4, body(2500));
      } catch (SimulatedDisk.Crash e) {
        assertThat(one.isCrashed()).isTrue();
      }
      SimulatedDisk next = k % 2 == 0 ? one.afterPowerCut() : one.afterKill();
      BodyStore again = new BodyStore(next, 8);
      again.removeOrphans(id -> id == live.fileId());
      assertThat(next.list(BodyStore.DIRECTORY)).hasSize(1);
      assertThat(again.verify(live)).isEmpty();
      assertThat(write(again, 5, body(10)).length()).isEqualTo(10);
    }
  }

  @Test
  void damageIsToldWhateverByteIsBad() throws IOException {
    BodyStore store = new BodyStore(disk, 8);
    BodyRef ref = write(store, 7, body(300));
    String path = BodyStore.DIRECTORY + "/0000000000000007.body";
    for (int at = 0; at < disk.contents(path).length; at++) {
      SimulatedDisk bad = disk.copy();
      bad.flip(path, at);
      assertThat(new BodyStore(bad, 8).verify(ref)).as("byte %d", at).isPresent();
    }
    assertThat(store.verify(new BodyRef(8, 1, 1)))
        .hasValueSatisfying(what -> assertThat(what).contains("missing"));
  }

  @Test
  void anAbortedBodyLeavesNothing() throws IOException {
    BodyStore store = new BodyStore(disk, 8);
    BodyStore.Writer writer = store.create(9);
    writer.write(ByteBuffer.wrap(body(100)));
    writer.abort();
    assertThat(disk.list(BodyStore.DIRECTORY)).isEmpty();
  }

  @Test
  void aDeletedBodyIsGoneAndDeletingItAgainDoesNothing() throws IOException {
    BodyStore store = new BodyStore(disk, 8);
    write(store, 1, body(100));
    store.delete(1);
    store.delete(1);
    assertThat(store.list()).isEmpty();
    assertThatThrownBy(() -> store.read(1, 0, ByteBuffer.allocate(1)))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void negativeIdsAreNamesLikeAnyOther() throws IOException {
    BodyStore store = new BodyStore(disk, 8);
    BodyRef ref = write(store, -3, body(100));
    assertThat(store.list()).containsExactly(-3L);
    assertThat(store.verify(ref)).isEmpty();
  }
}
