package io.metaq.body;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;

/** The one class that touches the LZ4 library, so that nothing else needs it to load. */
final class Lz4Streams {

  private Lz4Streams() {}

  static OutputStream compressing(OutputStream out) throws IOException {
    return new LZ4FrameOutputStream(
        out, BLOCKSIZE.SIZE_64KB, FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_CHECKSUM);
  }

  static InputStream decompressing(InputStream in) throws IOException {
    return new LZ4FrameInputStream(in);
  }
}
