package io.metaq.wire;

import java.nio.ByteBuffer;

/**
 * The frame header: {@code u32 length} of what follows, {@code u8 type}, {@code i32 correlation}. A
 * correlation of 0 marks a one-way frame; an answer carries the correlation of its request.
 */
public final class FrameCodec {
  public static final int PROTOCOL_VERSION = 2;

  /**
   * First bytes of a connection, before any frame: no verb of the line protocol and no TLS record
   * starts so.
   */
  public static final byte[] PREFACE = {(byte) 0xd7, 'M', 'Q', 'J', PROTOCOL_VERSION, 0, 0, 0};

  public static final int HEADER_SIZE = 9;

  /** Largest frame accepted before login, header length field excluded. */
  public static final int MAX_FRAME_BEFORE_LOGIN = 16 * 1024;

  /** Bodies up to this travel and are stored inline; larger ones go through the body store. */
  public static final int MAX_INLINE_BODY = 1 << 20;

  /** Largest frame after login: an inline body, its headers and properties. */
  public static final int MAX_FRAME = MAX_INLINE_BODY + (1 << 20);

  private FrameCodec() {}

  /** A decoded frame and the correlation it came with. */
  public record Envelope(int correlation, Frame frame) {}

  /** Appends the whole frame to {@code out}. */
  public static void encode(int correlation, Frame frame, WireWriter out) {
    int start = out.position();
    out.i32(0).u8(frame.type().code()).i32(correlation);
    frame.encode(out);
    out.patchI32(start, out.position() - start - 4);
  }

  /**
   * Decodes what follows the length field. Buffers inside the frame share {@code frame}'s memory.
   *
   * @throws WireException if it is no frame of this protocol
   */
  public static Envelope decode(ByteBuffer frame) {
    WireReader in = new WireReader(frame);
    FrameType type = FrameType.of(in.u8());
    int correlation = in.i32();
    Frame decoded = type.read(in);
    if (in.remaining() != 0) {
      throw new WireException(in.remaining() + " bytes too many in a " + type + " frame");
    }
    return new Envelope(correlation, decoded);
  }

  /** Checks a length field before anything is allocated for it. */
  public static int checkLength(int length, int bound) {
    if (length < 5 || length > bound) {
      throw new WireException("frame length " + length + " is outside 5.." + bound);
    }
    return length;
  }
}
