package io.metaq.jms;

import io.metaq.body.BodyCodec;
import io.metaq.body.BodyStorage;

/**
 * What all messages of a connection share.
 *
 * @param storage where large bodies go
 * @param deserialization which classes an ObjectMessage may hold
 * @param compressAbove bodies of more bytes than this are compressed when sent; negative for never
 * @param codec how they are compressed; what is received says itself how it was
 */
public record MessageSettings(
    BodyStorage storage,
    DeserializationPolicy deserialization,
    int compressAbove,
    BodyCodec codec) {

  /** Compresses nothing. */
  public static final int NEVER_COMPRESS = -1;

  /** The defaults: the system's temporary directory, basic classes only, no compression. */
  public static MessageSettings defaults() {
    return new MessageSettings(
        new BodyStorage(), DeserializationPolicy.closed(), NEVER_COMPRESS, BodyCodec.DEFLATE);
  }
}
