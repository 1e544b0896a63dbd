package io.metaq.broker.engine;

import io.metaq.broker.store.BodyRef;
import io.metaq.broker.store.BodyStore;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.BodyChunk;
import io.metaq.wire.MessageFrames.UploadChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Large bodies on their way in and out. Pieces are written in order on the bodies' thread, so that
 * neither the loop nor the journal waits for a gigabyte; the maps of open uploads belong to that
 * thread too.
 */
final class Bodies {
  private static final Logger LOG = LoggerFactory.getLogger(Bodies.class);
  private static final int GENERATION_SHIFT = 32;

  /** Answers on the loop, ungated: nothing of the journal stands behind them. */
  interface Answers {
    void answer(int connection, int correlation, Frame frame);

    /** A piece that nobody asked about is written. */
    void progressed();

    /** What {@link #readExtent} brought, or why it brought nothing. */
    void extentRead(ByteBuffer bytes, String failure);

    /** A body is complete and durable, or ({@code ref} null) cannot be had for the reason given. */
    void sealed(long token, BodyRef ref, String failure);
  }

  private record UploadId(int connection, long upload) {}

  /** An upload under way, or what became of it. */
  private static final class Upload {
    private BodyStore.Writer writer;
    private String failure;
  }

  private final BodyStore store;
  private final Executor thread;
  private final Executor readers;
  private final Executor loop;
  private final Answers answers;
  private final long maxBytes;
  private final Map<UploadId, Upload> uploads = new HashMap<>();
  private long nextFileId;
  private long bytesUnderWay;

  /**
   * @param generation of this start, so that no file id is used twice
   */
  Bodies(BodyStore store, EngineThreads threads, long generation, long maxBytes, Answers answers) {
    this.store = store;
    this.thread = threads.bodies();
    this.readers = threads.readers();
    this.loop = threads.loop();
    this.answers = answers;
    this.maxBytes = maxBytes;
    this.nextFileId = generation << GENERATION_SHIFT;
  }

  /** Bytes of pieces that have come in and are not yet written. Loop thread. */
  long bytesUnderWay() {
    return bytesUnderWay;
  }

  void upload(int connection, int correlation, UploadChunk chunk) {
    // The frame's memory is Netty's again when this call returns.
    ByteBuffer piece = ByteBuffer.allocate(chunk.bytes().remaining());
    piece.put(chunk.bytes().duplicate()).flip();
    int size = piece.remaining();
    bytesUnderWay += size;
    UploadId id = new UploadId(connection, chunk.uploadId());
    thread.execute(
        () -> {
          String failure = write(id, chunk.offset(), piece);
          loop.execute(
              () -> {
                bytesUnderWay -= size;
                if (correlation != 0) {
                  answers.answer(connection, correlation, result(failure));
                } else {
                  answers.progressed();
                }
              });
        });
  }

  private static Frame result(String failure) {
    return failure == null ? Ok.INSTANCE : new Failure(ErrorCode.STORAGE, failure);
  }

  private String write(UploadId id, long offset, ByteBuffer piece) {
    Upload upload = uploads.computeIfAbsent(id, key -> new Upload());
    if (upload.failure == null) {
      try {
        if (upload.writer == null) {
          upload.writer = store.create(nextFileId++);
        }
        long length = upload.writer.length();
        if (offset != length) {
          fail(upload, "a piece of a body begins at " + offset + " where " + length + " is next");
        } else if (id.connection() > 0 && length + piece.remaining() > maxBytes) {
          fail(upload, "the body is larger than the limit of " + maxBytes + " bytes");
        } else {
          upload.writer.write(piece);
        }
      } catch (IOException e) {
        LOG.error("cannot store a large body: {}", e.toString());
        fail(upload, "the body cannot be stored: " + e.getMessage());
      }
    }
    return upload.failure;
  }

  private static void fail(Upload upload, String why) {
    upload.failure = why;
    abort(upload);
  }

  private static void abort(Upload upload) {
    if (upload.writer != null) {
      try {
        upload.writer.abort();
      } catch (IOException e) {
        LOG.warn("an unfinished body stays until the next start: {}", e.toString());
      }
      upload.writer = null;
    }
  }

  /** Makes an uploaded body durable; the answer comes under the token. */
  void seal(int connection, long uploadId, long token) {
    thread.execute(
        () -> {
          Upload upload = uploads.remove(new UploadId(connection, uploadId));
          BodyRef ref = null;
          String failure =
              upload == null ? "no body was uploaded under " + uploadId : upload.failure;
          if (failure == null) {
            try {
              ref = upload.writer.seal();
            } catch (IOException e) {
              LOG.error("cannot make a large body durable: {}", e.toString());
              failure = "the body cannot be stored: " + e.getMessage();
            }
          }
          BodyRef sealed = ref;
          String why = failure;
          loop.execute(() -> answers.sealed(token, sealed, why));
        });
  }

  /** Throws away what a connection has uploaded and not sent. */
  void drop(int connection) {
    thread.execute(
        () ->
            uploads
                .entrySet()
                .removeIf(
                    upload -> {
                      boolean dropped = upload.getKey().connection() == connection;
                      if (dropped) {
                        abort(upload.getValue());
                      }
                      return dropped;
                    }));
  }

  /** Answers with a piece of a stored body. */
  void read(int connection, int correlation, long fileId, long offset, int length) {
    readers.execute(
        () -> {
          Frame answer;
          try {
            ByteBuffer piece = ByteBuffer.allocate(length);
            store.read(fileId, offset, piece);
            answer = new BodyChunk(piece.flip());
          } catch (IOException e) {
            LOG.error("cannot read a large body: {}", e.toString());
            answer = new Failure(ErrorCode.STORAGE, "the body cannot be read: " + e.getMessage());
          }
          Frame frame = answer;
          loop.execute(() -> answers.answer(connection, correlation, frame));
        });
  }

  /** Reads a piece of a file for the broker itself. */
  void readExtent(long fileId, long offset, int length) {
    readers.execute(
        () -> {
          ByteBuffer piece = ByteBuffer.allocate(length);
          String failure = null;
          try {
            store.read(fileId, offset, piece);
          } catch (IOException e) {
            failure = e.toString();
          }
          String why = failure;
          loop.execute(() -> answers.extentRead(piece.flip(), why));
        });
  }

  /** Deletes a body that no durable record names any more. */
  void delete(long fileId) {
    thread.execute(
        () -> {
          try {
            store.delete(fileId);
          } catch (IOException e) {
            LOG.warn("a body that is not needed stays until the next start: {}", e.toString());
          }
        });
  }
}
