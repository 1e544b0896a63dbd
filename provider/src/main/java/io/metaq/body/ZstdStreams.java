package io.metaq.body;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The one class that touches the Zstandard library, so that nothing else needs it to load. */
final class ZstdStreams {

  /** The largest window every decoder should take (RFC 8878, 3.1.1.1.2): 8 MiB of memory. */
  private static final int MAX_WINDOW_LOG = 23;

  private ZstdStreams() {}

  static OutputStream compressing(OutputStream out) throws IOException {
    ZstdOutputStreamNoFinalizer stream =
        new ZstdOutputStreamNoFinalizer(out, RecyclingBufferPool.INSTANCE);
    stream.setChecksum(true);
    return stream;
  }

  static InputStream decompressing(InputStream in) throws IOException {
    ZstdInputStreamNoFinalizer stream =
        new ZstdInputStreamNoFinalizer(in, RecyclingBufferPool.INSTANCE);
    stream.setLongMax(MAX_WINDOW_LOG);
    return stream;
  }
}
