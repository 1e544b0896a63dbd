package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.Content;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Send;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way out of a session: stamps and encodes a message and takes it to the broker. A send keeps
 * its sequence however often it goes out, by which the broker knows it again.
 */
final class SessionSender {
  private final SessionCore session;
  private final String idPrefix;
  private final AtomicLong lastMessage = new AtomicLong();

  /** Sequences leave in their order: the broker takes a lower one that follows for a repetition. */
  private final ReentrantLock order = new ReentrantLock();

  private long lastSequence;
  private final SendPipeline pipeline;
  private final UnawaitedSends unawaited;
  private final TransactedSends transacted;

  SessionSender(SessionCore session) {
    this.session = session;
    this.idPrefix = "ID:" + session.connection().id() + ":" + session.id() + ":";
    this.pipeline = new SendPipeline(session, this);
    this.unawaited = new UnawaitedSends(session);
    this.transacted = new TransactedSends(session);
  }

  boolean isCallbackThread() {
    return pipeline.isCallbackThread();
  }

  /** Waits until all completion listeners have been called. */
  void awaitCallbacks(long deadlineNanos) throws JMSException {
    pipeline.awaitIdle(deadlineNanos);
  }

  /** Waits until the broker has answered what nobody waits for. */
  void awaitReceipts(long deadlineNanos) {
    unawaited.awaitIdle(deadlineNanos);
  }

  void end() {
    pipeline.end();
  }

  /** A message ready to go. */
  record Outgoing(
      Message original,
      MetaqMessage message,
      MetaqDestination destination,
      SendOptions options,
      OutgoingMessage encoded,
      SessionTransaction.Membership membership) {

    boolean persistent() {
      return options.deliveryMode() == DeliveryMode.PERSISTENT;
    }

    /** What sending has set, for a message of another provider. */
    void copyHeadersBack() throws JMSException {
      ForeignMessageCopier.copyHeadersBack(message, original);
    }
  }

  /** Sends and returns when the message is as safe as its mode promises. */
  void send(MetaqDestination destination, Message message, SendOptions options)
      throws JMSException {
    Outgoing outgoing = prepare(destination, message, options);
    deliver(outgoing);
    outgoing.copyHeadersBack();
  }

  /** Sends; the listener hears when the message is safe. */
  void send(
      MetaqDestination destination,
      Message message,
      SendOptions options,
      CompletionListener listener)
      throws JMSException {
    Outgoing outgoing = prepare(destination, message, options);
    if (isLarge(outgoing)) {
      pipeline.submitDone(outgoing, attemptNow(outgoing), listener);
      return;
    }
    ByteBuffer content = content(outgoing);
    long id = session.connection().destinations().resolve(destination);
    pipeline.awaitRoom(content.remaining());
    order.lock();
    try {
      pipeline.submit(outgoing, frame(outgoing, id, 0, content), listener);
    } finally {
      order.unlock();
    }
  }

  private JMSException attemptNow(Outgoing outgoing) {
    try {
      deliver(outgoing);
      return null;
    } catch (JMSException e) {
      return e;
    }
  }

  private Outgoing prepare(MetaqDestination destination, Message message, SendOptions options)
      throws JMSException {
    session.requireOpen();
    XaAssociation xa = session.association();
    if (xa != null) {
      xa.requireUsable("Sending");
    }
    MetaqMessage ours = session.connection().messages().toMetaq(message);
    session.connection().destinations().resolve(destination);
    stamp(ours, destination, options);
    OutgoingMessage encoded =
        ours.snapshotForSend(session.connection().id(), session.connection().clientId());
    return new Outgoing(message, ours, destination, options, encoded, membership(xa));
  }

  private SessionTransaction.Membership membership(XaAssociation xa) throws JMSException {
    if (xa != null) {
      return xa.join();
    }
    return session.mode() == AckMode.TRANSACTED ? session.transaction().join() : null;
  }

  private void stamp(MetaqMessage message, MetaqDestination destination, SendOptions options) {
    long now = System.currentTimeMillis();
    long expiration = options.timeToLive() == 0 ? 0 : now + options.timeToLive();
    message.setJMSDestination(destination);
    message.setJMSDeliveryMode(options.deliveryMode());
    message.setJMSPriority(options.priority());
    message.setJMSTimestamp(options.withoutTimestamp() ? 0 : now);
    message.setJMSExpiration(Math.max(0, expiration)); // overflown: never
    message.setJMSDeliveryTime(
        now + options.deliveryDelay() < 0 ? Long.MAX_VALUE : now + options.deliveryDelay());
    message.setJMSMessageID(options.withoutId() ? null : idPrefix + lastMessage.incrementAndGet());
    message.setJMSRedelivered(false);
  }

  private boolean isLarge(Outgoing outgoing) {
    return outgoing.encoded().payload().length()
        > session.connection().broker().welcome().maxInlineBody();
  }

  private static ByteBuffer content(Outgoing outgoing) throws JMSException {
    try {
      return Content.build(outgoing.encoded().block(), outgoing.encoded().payload().toBuffer());
    } catch (IOException e) {
      throw Failures.caused(
          new JMSException("The body of the message cannot be read: " + e.getMessage()), e);
    }
  }

  /** With the order: the next frame of the session. */
  private Send frame(Outgoing outgoing, long destinationId, long uploadId, ByteBuffer content) {
    SendOptions options = outgoing.options();
    long timeToLive = outgoing.message().getJMSExpiration() == 0 ? 0 : options.timeToLive();
    return new Send(
        session.id(),
        ++lastSequence,
        destinationId,
        outgoing.membership() == null ? 0 : outgoing.membership().transaction(),
        timeToLive,
        options.deliveryDelay(),
        uploadId,
        content);
  }

  /** Takes a message to the broker. */
  void deliver(Outgoing outgoing) throws JMSException {
    String doing = "Sending to " + outgoing.destination();
    try {
      try {
        attempt(outgoing);
      } catch (RequestRefusedException e) {
        if (e.code() != ErrorCode.STALE) {
          throw e;
        }
        session
            .connection()
            .destinations()
            .forget(outgoing.destination()); // deleted, and perhaps created again
        attempt(outgoing);
      }
    } catch (RequestRefusedException e) {
      throw Failures.refused(doing, e);
    } catch (IOException e) {
      throw Failures.lost(doing, e);
    }
  }

  private void attempt(Outgoing outgoing)
      throws IOException, RequestRefusedException, JMSException {
    long id = session.connection().destinations().resolve(outgoing.destination());
    if (isLarge(outgoing)) {
      attemptLarge(outgoing, id);
      return;
    }
    ByteBuffer content = content(outgoing);
    boolean unawaited = isUnawaited(outgoing);
    if (unawaited) {
      this.unawaited.awaitRoom(content.remaining());
    }
    BrokerConnection.Reply reply = null;
    order.lock();
    try {
      Send frame = frame(outgoing, id, 0, content);
      if (outgoing.membership() != null) {
        transacted.send(frame, outgoing.membership());
      } else if (unawaited) {
        this.unawaited.submit(outgoing.destination(), frame);
      } else {
        BrokerConnection broker = session.connection().broker();
        reply = outgoing.persistent() ? broker.begin(frame) : broker.beginOnceARun(frame);
      }
    } finally {
      order.unlock();
    }
    if (reply != null) {
      reply.await();
    }
  }

  /**
   * A reply to somebody who may be gone is awaited: its sender hears at once that the temporary
   * destination is.
   */
  private boolean isUnawaited(Outgoing outgoing) {
    return !outgoing.persistent()
        && outgoing.membership() == null
        && !outgoing.destination().kind().isTemporary()
        && !session.connection().options().nonPersistentReceipts();
  }

  /**
   * Nothing else of the session leaves meanwhile: a repetition must be the latest that the broker
   * may have heard of.
   */
  private void attemptLarge(Outgoing outgoing, long destinationId)
      throws IOException, RequestRefusedException {
    BrokerConnection broker = session.connection().broker();
    SessionTransaction.Membership membership = outgoing.membership();
    ByteBuffer content = Content.build(outgoing.encoded().block(), null);
    order.lock();
    try {
      Send frame = frame(outgoing, destinationId, 0, content);
      ConnectionLostException earlier = null;
      long triedAt = 0;
      while (true) {
        long epoch = membership == null ? broker.awaitOpen() : membership.epoch();
        long generation = broker.welcome().generation();
        if (earlier != null && !outgoing.persistent() && generation != triedAt) {
          throw earlier; // a restarted broker would not know it for a repetition
        }
        triedAt = generation;
        try {
          long uploadId = session.connection().nextUpload();
          LargeBodies.upload(broker, epoch, uploadId, outgoing.encoded().payload());
          broker.requestOnce(withUpload(frame, uploadId), epoch);
          return;
        } catch (ConnectionLostException e) {
          if (e.isFinal()) {
            throw e;
          }
          if (membership != null) {
            return; // rolled back with the connection, as its commit will tell
          }
          earlier = e;
        }
      }
    } finally {
      order.unlock();
    }
  }

  private static Send withUpload(Send frame, long uploadId) {
    return new Send(
        frame.sessionId(),
        frame.sequence(),
        frame.destinationId(),
        frame.transaction(),
        frame.timeToLiveMillis(),
        frame.delayMillis(),
        uploadId,
        frame.content());
  }
}
