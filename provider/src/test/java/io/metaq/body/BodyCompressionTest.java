package io.metaq.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.metaq.transport.ClientOption;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BodyCompressionTest {

  @TempDir Path directory;

  private BodyStorage storage(int limit) {
    return new BodyStorage(directory.resolve("bodies"), limit);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Body compress(BodyCodec codec, byte[] bytes) throws IOException {
    return BodyCompression.compress(codec, Body.of(bytes), storage(1 << 20));
  }

  private Body decompress(BodyCodec codec, Body body, long length) throws IOException {
    return BodyCompression.decompress(codec, body, length, storage(1 << 20));
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void aBodyComesBackToTheSameBytes(BodyCodec codec) throws IOException {
    for (int limit : new int[] {0, 1 << 20}) {
      for (int length : new int[] {0, 1, 10, 65_536, 100_000, 3_000_000}) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
          bytes[i] = (byte) (i / 100);
        }
        for (byte[] plain : new byte[][] {bytes, random(length, length)}) {
          Body compressed = BodyCompression.compress(codec, Body.of(plain), storage(limit));
          Body back = BodyCompression.decompress(codec, compressed, length, storage(limit));
          assertThat(back.toByteArray()).isEqualTo(plain);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void decompressionStopsAtTheDeclaredLength(BodyCodec codec) throws IOException {
    Body bomb = compress(codec, new byte[10_000_000]);
    assertThat(bomb.length()).isLessThan(60_000);
    assertThatThrownBy(() -> decompress(codec, bomb, 1_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer than the declared 1000");
    assertThatThrownBy(() -> decompress(codec, bomb, 10_000_001))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("instead of the declared");
    assertThatThrownBy(() -> decompress(codec, bomb, 1L << 40))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot hold the declared");
    assertThatThrownBy(() -> decompress(codec, bomb, -1)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void noBodyIsRefusedForShrinkingWell(BodyCodec codec) throws IOException {
    byte[] zeros = new byte[64 << 20];
    assertThat(decompress(codec, compress(codec, zeros), zeros.length).length())
        .isEqualTo(zeros.length);
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void aBodyCutAnywhereIsAnIoException(BodyCodec codec) throws IOException {
    byte[] good = compress(codec, random(500, 3)).toByteArray();
    for (int length = 0; length < good.length; length++) {
      Body cut = Body.of(Arrays.copyOf(good, length));
      assertThatThrownBy(() -> decompress(codec, cut, 500))
          .as("cut at %d of %d", length, good.length)
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("null");
    }
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void aBodyWithABitFlippedIsAnIoExceptionOrWhatItWas(BodyCodec codec) throws IOException {
    byte[] plain = random(2_000, 5);
    byte[] good = compress(codec, plain).toByteArray();
    int refused = 0;
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(decompress(codec, Body.of(bad), 2_000).toByteArray()).isEqualTo(plain);
      } catch (IOException e) {
        assertThat(e).hasMessageNotContaining("null");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(good.length * 7);
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void damagedBytesAreAnIoExceptionAndNothingElse(BodyCodec codec) throws IOException {
    byte[] good = compress(codec, random(2_000, 5)).toByteArray();
    Random random = new Random(11);
    for (int i = 0; i < 2_000; i++) {
      byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
      for (int flips = random.nextInt(4); flips > 0 && bad.length > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        decompress(codec, Body.of(bad), 2_000);
      } catch (IOException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }

  @Test
  void aFrameThatAsksForALargeWindowIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream zstd = new ZstdOutputStreamNoFinalizer(out).setLong(27)) {
      zstd.write(random(20_000_000, 1));
    }
    Body wide = Body.of(out.toByteArray());
    assertThatThrownBy(() -> decompress(BodyCodec.ZSTD, wide, 20_000_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory");
  }

  @Test
  void theLibrariesOwnStreamsReadWhatWeWriteAndWriteWhatWeRead() throws IOException {
    byte[] plain = new byte[200_000];
    byte[] zstd = compress(BodyCodec.ZSTD, plain).toByteArray();
    assertThat(Zstd.decompress(zstd, plain.length)).isEqualTo(plain);
    assertThat(
            decompress(BodyCodec.ZSTD, Body.of(Zstd.compress(plain)), plain.length).toByteArray())
        .isEqualTo(plain);
    byte[] lz4 = compress(BodyCodec.LZ4, plain).toByteArray();
    try (InputStream in = new LZ4FrameInputStream(new ByteArrayInputStream(lz4))) {
      assertThat(in.readAllBytes()).isEqualTo(plain);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream frames = new LZ4FrameOutputStream(out)) {
      frames.write(plain);
    }
    assertThat(decompress(BodyCodec.LZ4, Body.of(out.toByteArray()), plain.length).toByteArray())
        .isEqualTo(plain);
  }

  @Test
  void anUnknownCodecIsAnErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> BodyCodec.named("brotli"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("brotli")
        .hasMessageContainingAll("deflate", "lz4", "zstd");
    assertThatThrownBy(() -> BodyCodec.numbered(7))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("codec 7")
        .hasMessageContainingAll("deflate", "lz4", "zstd");
  }

  @Test
  void theOptionOffersEveryCodec() {
    assertThat(ClientOption.COMPRESSION.range())
        .isEqualTo(
            Arrays.stream(BodyCodec.values())
                .map(BodyCodec::key)
                .collect(Collectors.joining(", ")));
  }
}
