package io.metaq.body;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * DEFLATE over bodies, streaming, so that it also works on a body in a file.
 *
 * <p>What is inflated comes from the network: its length is bounded by the length that was declared
 * for it, and a declared length that DEFLATE cannot reach is refused before anything is written.
 */
public final class BodyCompression {

  /** DEFLATE shrinks at best to about a 1032nd. */
  private static final long MAX_RATIO = 1_040;

  private static final int CHUNK = 1 << 13;

  private BodyCompression() {}

  /** Compresses a body; the result is returned even where it is longer. */
  public static Body deflate(Body body, BodyStorage storage) throws IOException {
    BodyBuffer out = storage.newBuffer();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream deflating = new DeflaterOutputStream(out, deflater, CHUNK)) {
      copy(body.toStream(), deflating);
    } finally {
      deflater.end();
    }
    return out.snapshot();
  }

  /**
   * Decompresses a body.
   *
   * @param length the exact length the result must have
   * @throws IOException when the bytes are no DEFLATE data or of another length
   */
  public static Body inflate(Body body, long length, BodyStorage storage) throws IOException {
    if (length < 0 || length > body.length() * MAX_RATIO + MAX_RATIO) {
      throw new IOException(
          "A compressed body of " + body.length() + " bytes cannot hold the declared " + length);
    }
    BodyBuffer out = storage.newBuffer();
    byte[] chunk = new byte[CHUNK];
    try (InputStream inflating = new InflaterInputStream(body.toStream())) {
      for (int n = inflating.read(chunk); n >= 0; n = inflating.read(chunk)) {
        if (out.length() + n > length) {
          throw new IOException("A compressed body is longer than the declared " + length);
        }
        out.write(chunk, 0, n);
      }
    } catch (EOFException e) {
      throw new IOException("A compressed body ends in the middle, after " + out.length(), e);
    }
    if (out.length() != length) {
      throw new IOException(
          "A compressed body has " + out.length() + " bytes instead of the declared " + length);
    }
    return out.snapshot();
  }

  private static void copy(InputStream in, OutputStream out) throws IOException {
    byte[] chunk = new byte[CHUNK];
    for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
      out.write(chunk, 0, n);
    }
  }
}
