package io.metaq.body;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The ways to compress a body. DEFLATE comes with the JDK; the others need a library that is there
 * only if the application brings it, and whose classes are not touched unless it is used.
 */
public enum BodyCodec {
  /** RFC 1950, as the JDK has it; shrinks at best to about a 1032nd. */
  DEFLATE("deflate", 0, 1_040, "the JDK", BodyCodec::deflating, InflaterInputStream::new),
  // Lambdas, since method references would load the libraries together with this enum.

  /** The LZ4 frame format; shrinks at best to a 255th. */
  LZ4(
      "lz4",
      1,
      260,
      "at.yawk.lz4:lz4-java",
      out -> Lz4Streams.compressing(out),
      in -> Lz4Streams.decompressing(in)),
  /** RFC 8878; a block of 128 KiB takes four bytes at the least. */
  ZSTD(
      "zstd",
      2,
      1 << 15,
      "com.github.luben:zstd-jni",
      out -> ZstdStreams.compressing(out),
      in -> ZstdStreams.decompressing(in));

  private interface Compressing {
    OutputStream over(OutputStream out) throws IOException;
  }

  private interface Decompressing {
    InputStream over(InputStream in) throws IOException;
  }

  private final String key;
  private final int number;
  private final int maxRatio;
  private final String library;
  private final Compressing compressing;
  private final Decompressing decompressing;

  BodyCodec(
      String key,
      int number,
      int maxRatio,
      String library,
      Compressing compressing,
      Decompressing decompressing) {
    this.key = key;
    this.number = number;
    this.maxRatio = maxRatio;
    this.library = library;
    this.compressing = compressing;
    this.decompressing = decompressing;
  }

  /** The name in options and errors. */
  public String key() {
    return key;
  }

  /** The number on the wire, 0..7. */
  public int number() {
    return number;
  }

  /** The most bytes that one compressed byte can stand for, rounded up. */
  int maxRatio() {
    return maxRatio;
  }

  /**
   * @throws IllegalArgumentException if there is no such codec; lists those there are
   */
  public static BodyCodec named(String key) {
    for (BodyCodec codec : values()) {
      if (codec.key.equals(key)) {
        return codec;
      }
    }
    throw new IllegalArgumentException(
        "unknown compression '" + key + "': it is one of " + known());
  }

  /**
   * @throws IOException if there is no such codec; lists those there are
   */
  public static BodyCodec numbered(int number) throws IOException {
    for (BodyCodec codec : values()) {
      if (codec.number == number) {
        return codec;
      }
    }
    throw new IOException(
        "it is compressed with codec " + number + ", which is unknown here; known are " + known());
  }

  /** A stream that writes compressed what is written to it. */
  OutputStream compressing(OutputStream out) throws IOException {
    try {
      return compressing.over(out);
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  /** A stream that reads decompressed what it is made over. */
  InputStream decompressing(InputStream in) throws IOException {
    try {
      return decompressing.over(in);
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  private IOException missing(LinkageError e) {
    return new IOException(
        key + " compression needs " + library + "; add its jar to the class path (" + e + ")", e);
  }

  private static String known() {
    return Arrays.stream(values())
        .map(codec -> codec.key + " (" + codec.number + ")")
        .collect(Collectors.joining(", "));
  }

  private static OutputStream deflating(OutputStream out) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    return new DeflaterOutputStream(out, deflater, BodyCompression.CHUNK) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } finally {
          deflater.end();
        }
      }
    };
  }
}
