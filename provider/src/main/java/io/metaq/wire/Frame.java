package io.metaq.wire;

/**
 * One unit of the protocol: an immutable value that knows its type and how to write its fields. The
 * header (length, type, correlation) belongs to {@link FrameCodec}.
 */
public interface Frame {
  FrameType type();

  /** Writes the fields in the order {@code docs/protocol.md} gives. */
  void encode(WireWriter out);
}
