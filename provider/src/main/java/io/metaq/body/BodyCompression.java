package io.metaq.body;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Compression of bodies, streaming, so that it also works on a body in a file.
 *
 * <p>What is decompressed comes from the network: its length is bounded by the length that was
 * declared for it, and a declared length that the codec cannot reach is refused before anything is
 * written.
 */
public final class BodyCompression {

  static final int CHUNK = 1 << 13;

  private BodyCompression() {}

  /**
   * Compresses a body; the result is returned even where it is longer.
   *
   * @throws IOException when the codec's library is missing, or a temporary file fails
   */
  public static Body compress(BodyCodec codec, Body body, BodyStorage storage) throws IOException {
    BodyBuffer out = storage.newBuffer();
    try (OutputStream compressing = codec.compressing(out)) {
      body.toStream().transferTo(compressing);
    }
    return out.snapshot();
  }

  /**
   * Decompresses a body.
   *
   * @param length the exact length the result must have
   * @throws IOException when the bytes are not the codec's or of another length, when the codec's
   *     library is missing, or when a temporary file fails
   */
  public static Body decompress(BodyCodec codec, Body body, long length, BodyStorage storage)
      throws IOException {
    if (length < 0 || length > (body.length() + 1) * codec.maxRatio()) {
      throw new IOException(
          "A compressed body of " + body.length() + " bytes cannot hold the declared " + length);
    }
    BodyBuffer out = storage.newBuffer();
    byte[] chunk = new byte[CHUNK];
    try (InputStream decompressing = codec.decompressing(body.toStream())) {
      for (int n = decompressing.read(chunk); n >= 0; n = decompressing.read(chunk)) {
        if (out.length() + n > length) {
          throw new IOException("A compressed body is longer than the declared " + length);
        }
        out.write(chunk, 0, n);
      }
    } catch (EOFException e) {
      throw new IOException("A compressed body ends in the middle, after " + out.length(), e);
    } catch (RuntimeException e) { // how the LZ4 library answers some of the damage
      throw new IOException("A compressed body is damaged: " + e, e);
    }
    if (out.length() != length) {
      throw new IOException(
          "A compressed body has " + out.length() + " bytes instead of the declared " + length);
    }
    return out.snapshot();
  }
}
