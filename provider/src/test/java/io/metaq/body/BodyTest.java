package io.metaq.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BodyTest {

  @TempDir Path directory;

  private BodyStorage storage(int limit) {
    return new BodyStorage(directory.resolve("bodies"), limit);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatIsWrittenInAnyPiecesIsReadInAnyPieces() throws IOException {
    for (int limit : new int[] {0, 100, 1_000, 1 << 20}) {
      Random random = new Random(limit);
      byte[] expected = random(300_000, 7);
      BodyBuffer buffer = storage(limit).newBuffer();
      int at = 0;
      while (at < expected.length) {
        if (random.nextInt(3) == 0) {
          buffer.write(expected[at++]);
        } else {
          int n =
              Math.min(expected.length - at, random.nextInt(random.nextBoolean() ? 40 : 90_000));
          buffer.write(expected, at, n);
          at += n;
        }
      }
      Body body = buffer.snapshot();
      assertThat(body.length()).isEqualTo(expected.length);
      assertThat(body.toByteArray()).isEqualTo(expected);
      assertThat(body.toBuffer()).isEqualTo(ByteBuffer.wrap(expected));
      assertThat(body.toStream().readAllBytes()).isEqualTo(expected);
      BodyReader reader = new BodyReader(body);
      ByteBuffer numbers = ByteBuffer.wrap(expected);
      while (numbers.remaining() >= 8) {
        assertThat(reader.peekNumber(8)).isEqualTo(numbers.getLong(numbers.position()));
        int step = 1 + random.nextInt(8);
        reader.advance(step);
        numbers.position(numbers.position() + step);
      }
      assertThat(reader.remaining()).isEqualTo(numbers.remaining());
    }
  }

  @Test
  void aSnapshotDoesNotSeeLaterWrites() throws IOException {
    for (int limit : new int[] {0, 16, 1 << 20}) {
      BodyBuffer buffer = storage(limit).newBuffer();
      Body[] snapshots = new Body[50];
      byte[] expected = random(50 * 3, 3);
      for (int i = 0; i < snapshots.length; i++) {
        buffer.write(expected, i * 3, 3);
        snapshots[i] = buffer.snapshot();
      }
      for (int i = 0; i < snapshots.length; i++) {
        assertThat(snapshots[i].toByteArray()).isEqualTo(Arrays.copyOf(expected, i * 3 + 3));
      }
    }
  }

  @Test
  void aBodyUpToTheLimitTouchesNoFile() throws IOException {
    BodyBuffer buffer = storage(1_000).newBuffer();
    buffer.write(new byte[1_000]);
    buffer.snapshot();
    assertThat(directory.resolve("bodies")).doesNotExist();
    buffer.write(1);
    assertThat(directory.resolve("bodies")).exists();
  }

  @Test
  void theTemporaryFileHasNoNameWhileItIsOpenSoThatAKillLeavesNothingBehind() throws IOException {
    org.junit.jupiter.api.Assumptions.assumeTrue(File.separatorChar == '/');
    BodyBuffer buffer = storage(0).newBuffer();
    buffer.write(new byte[100]);
    assertThat(directory.resolve("bodies")).isEmptyDirectory();
    assertThat(buffer.snapshot().toByteArray()).hasSize(100);
  }

  @Test
  void anInterruptDoesNotLoseASpilledBody() throws IOException {
    BodyBuffer buffer = storage(0).newBuffer();
    buffer.write(random(100, 1));
    Body body = buffer.snapshot();
    Thread.currentThread().interrupt();
    try {
      assertThat(body.toByteArray()).isEqualTo(random(100, 1));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(body.toByteArray()).isEqualTo(random(100, 1));
  }
}
