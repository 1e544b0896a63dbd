package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyBuffer;
import io.metaq.body.BodyStorage;
import io.metaq.transport.BrokerConnection;
import io.metaq.transport.Completion;
import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.BodyChunk;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.ReadBody;
import io.metaq.wire.MessageFrames.UploadChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Bodies too large for a frame, moved in pieces with a few under way, so that neither side holds
 * more than those in memory.
 */
final class LargeBodies {
  private static final int CHUNK = 256 * 1024;
  private static final int WINDOW = 4;

  private LargeBodies() {}

  /** A piece that is under way. */
  private static final class Piece extends CompletableFuture<Frame> implements Completion {
    @Override
    public void answered(Frame answer) {
      complete(answer);
    }

    @Override
    public void refused(RequestRefusedException refusal) {
      completeExceptionally(refusal);
    }

    @Override
    public void lost(IOException cause) {
      completeExceptionally(cause);
    }

    Frame await() throws IOException, RequestRefusedException {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return get();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RequestRefusedException refusal) {
          throw refusal;
        }
        throw e.getCause() instanceof IOException loss ? loss : new IOException(e.getCause());
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /**
   * Writes a body to the broker under an id.
   *
   * @throws ConnectionLostException if the epoch ended: nothing of it counts
   */
  static void upload(BrokerConnection broker, long epoch, long uploadId, Body body)
      throws IOException, RequestRefusedException {
    Queue<Piece> underWay = new ArrayDeque<>();
    long position = 0;
    while (position < body.length()) {
      byte[] bytes = new byte[(int) Math.min(CHUNK, body.length() - position)];
      body.read(position, bytes, 0, bytes.length);
      boolean last = position + bytes.length == body.length();
      Piece piece = new Piece();
      broker.requestOnceAsync(
          new UploadChunk(uploadId, position, last, ByteBuffer.wrap(bytes)), epoch, piece);
      underWay.add(piece);
      position += bytes.length;
      if (underWay.size() == WINDOW) {
        underWay.remove().await();
      }
    }
    while (!underWay.isEmpty()) {
      underWay.remove().await();
    }
  }

  /** Reads the body of a delivery, to a temporary file. */
  static Body fetch(BrokerConnection broker, BodyStorage storage, Deliver delivery)
      throws IOException {
    long epoch = broker.epoch();
    long length = delivery.largeBody();
    BodyBuffer body = storage.newBuffer();
    Queue<Piece> underWay = new ArrayDeque<>();
    long asked = 0;
    try {
      while (body.length() < length) {
        while (asked < length && underWay.size() < WINDOW) {
          int size = (int) Math.min(CHUNK, length - asked);
          Piece piece = new Piece();
          broker.requestOnceAsync(
              new ReadBody(
                  delivery.subscriptionId(), delivery.lane(), delivery.sequence(), asked, size),
              epoch,
              piece);
          underWay.add(piece);
          asked += size;
        }
        append(((BodyChunk) underWay.remove().await()).bytes(), body);
      }
      return body.snapshot();
    } catch (RequestRefusedException e) {
      throw new IOException("The broker does not give the body of a message: " + e.getMessage(), e);
    }
  }

  private static void append(ByteBuffer bytes, BodyBuffer body) throws IOException {
    if (!bytes.hasRemaining()) {
      throw new IOException("The broker ended the body of a message early");
    }
    body.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }
}
