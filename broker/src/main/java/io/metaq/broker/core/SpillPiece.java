package io.metaq.broker.core;

import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A piece of an extent: as many messages as are moved at a time, behind their length and checksum.
 */
final class SpillPiece {
  static final int HEADER = 8;

  private SpillPiece() {}

  static ByteBuffer encode(List<PreparedSend> sends) {
    WireWriter out = new WireWriter(64 << 10);
    out.i32(0).i32(0);
    sends.forEach(send -> EntryCodec.encode(send, out));
    ByteBuffer piece = out.written();
    int start = piece.position();
    ByteBuffer body = piece.slice(start + HEADER, piece.remaining() - HEADER);
    piece.putInt(start, body.remaining());
    piece.putInt(start + 4, checksum(body));
    return piece;
  }

  /** Length of the whole piece that these bytes begin with. */
  static int length(ByteBuffer bytes) {
    return bytes.remaining() < HEADER ? Integer.MAX_VALUE : HEADER + bytes.getInt(bytes.position());
  }

  /**
   * The messages; their records share the memory of the piece.
   *
   * @throws IllegalArgumentException if the piece is damaged
   */
  static List<PreparedSend> decode(ByteBuffer piece) {
    int length = length(piece) - HEADER;
    if (length < 0 || length > piece.remaining() - HEADER) {
      throw new IllegalArgumentException("a piece of an extent is cut off");
    }
    ByteBuffer body = piece.slice(piece.position() + HEADER, length);
    if (checksum(body) != piece.getInt(piece.position() + 4)) {
      throw new IllegalArgumentException("a piece of an extent has a wrong checksum");
    }
    WireReader in = new WireReader(body);
    List<PreparedSend> sends = new ArrayList<>();
    while (in.remaining() > 0) {
      sends.add(EntryCodec.decodeSend(in));
    }
    return sends;
  }

  private static int checksum(ByteBuffer body) {
    CRC32C crc = new CRC32C();
    crc.update(body.duplicate());
    return (int) crc.getValue();
  }
}
