package io.metaq.broker.core;

import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames;

/**
 * What the core wants done. Called on the core's thread only; nothing here calls back into the core
 * before it returns.
 */
public interface Effects {

  /**
   * Puts an entry at the end of the journal and returns its index. With {@code force}, later {@link
   * #send}s wait until it is committed; else it rides along.
   */
  long append(Entry entry, boolean force);

  /** What is sent from now on waits until every entry appended so far is committed. */
  void awaitAppended();

  /** Sends once the last forcing entry, as of this call, is committed. In order per connection. */
  void send(int connection, int correlation, Frame frame);

  /** Sends without waiting for the journal, yet behind what waits for the same connection. */
  void sendNow(int connection, int correlation, Frame frame);

  /**
   * Tells the connection, as {@link MessageFrames.AckConfirmed}, once every entry appended so far
   * is committed. Calls may be gathered into one with the highest number.
   */
  void confirmAck(int connection, long ackSequence);

  /**
   * Sends a failure with correlation 0 and closes. {@link Core#disconnected} follows or not; the
   * core has let go already.
   */
  void close(int connection, ErrorCode code, String why);

  /** Reads later; the answer comes through {@link Core#readDone}. */
  void read(ReadRequest request);

  /**
   * Stops or resumes reading from a connection's socket: it sends faster than a full destination
   * takes. Heart-beats sent to it go on.
   */
  void pauseReading(int connection, boolean pause);

  /**
   * Hands a piece of a large body to the body store, which answers {@code Ok} or a failure to the
   * connection by itself.
   */
  void upload(int connection, int correlation, MessageFrames.UploadChunk chunk);

  /**
   * Completes and forces an uploaded body; the answer comes through {@link Core#bodySealed} under
   * the token.
   */
  void sealBody(int connection, long uploadId, long token);

  /** Throws away uploads of a connection that no send has named. */
  void dropUploads(int connection);

  /** Sends a piece of a stored body as {@link MessageFrames.BodyChunk}, or a failure. */
  void readBody(int connection, int correlation, long fileId, long offset, int length);

  /**
   * Reads a piece of a stored file for the core; the answer comes through {@link Core#extentRead}.
   */
  void readExtent(long fileId, long offset, int length);

  /** A fault of the core itself: the request was answered with an internal error. */
  void report(String what, Throwable fault);

  /** Something that clients did and that an operator may want to know. */
  void note(String what);

  /**
   * No record names this body any more: it may go once every entry appended so far is committed.
   */
  void releaseBody(long fileId);
}
