package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.ConnectionFrames.CloseSession;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.SetClientId;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Handed;
import io.metaq.wire.MessageFrames.ReadBody;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.MessageFrames.UploadChunk;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.StopConsumer;
import io.metaq.wire.SubscriptionFrames.Unsubscribe;

/** Brings each frame to the part that answers it. */
final class Router {
  private final Effects effects;
  private final Answers answers;
  private final Connections connections;
  private final Lookup lookup;
  private final Sends sends;
  private final Consumers consumers;
  private final DurableSubscriptions durables;
  private final Acknowledgements acknowledgements;
  private final Redelivery redelivery;
  private final Destinations destinations;
  private final TransactionSink transactions;
  private final Operations operations;

  Router(
      Effects effects,
      Answers answers,
      Connections connections,
      Lookup lookup,
      Sends sends,
      Consumers consumers,
      DurableSubscriptions durables,
      Acknowledgements acknowledgements,
      Redelivery redelivery,
      Destinations destinations,
      TransactionSink transactions,
      Operations operations) {
    this.effects = effects;
    this.answers = answers;
    this.connections = connections;
    this.lookup = lookup;
    this.sends = sends;
    this.consumers = consumers;
    this.durables = durables;
    this.acknowledgements = acknowledgements;
    this.redelivery = redelivery;
    this.destinations = destinations;
    this.transactions = transactions;
    this.operations = operations;
  }

  void route(Connection from, int correlation, Frame frame) {
    if (!from.isLoggedIn() && !(frame instanceof Hello)) {
      connections.refuse(
          from, ErrorCode.PROTOCOL, "the first frame must be Hello, not " + frame.type());
      return;
    }
    switch (frame.type()) {
      case SEND -> {
        Send send = (Send) frame;
        sends.send(connections.session(from, send.sessionId()), correlation, send);
      }
      case ACK -> acknowledge(from, correlation, (Ack) frame);
      case CREDIT -> consumers.credit(from, (Credit) frame);
      case HANDED -> {
        Handed handed = (Handed) frame;
        Consumer consumer = from.consumers.get(handed.consumerId());
        if (consumer != null) {
          consumer.handed(handed.ordinal());
        }
      }
      case RELEASE -> release(from, correlation, (Release) frame);
      case RECOVER -> {
        Recover recover = (Recover) frame;
        connections.recover(connections.session(from, recover.sessionId()), recover.handed());
        answers.ok(from, correlation);
      }
      case UPLOAD_CHUNK -> effects.upload(from.number, correlation, (UploadChunk) frame);
      case READ_BODY -> readBody(from, correlation, (ReadBody) frame);
      default -> routeRare(from, correlation, frame);
    }
  }

  private void routeRare(Connection from, int correlation, Frame frame) {
    switch (frame.type()) {
      case HELLO -> connections.hello(from, correlation, (Hello) frame);
      case HEARTBEAT -> {
        // The server answers by its own; it is no business of the state.
      }
      case SET_CLIENT_ID ->
          connections.setClientId(from, correlation, ((SetClientId) frame).clientId());
      case GOODBYE -> connections.goodbye(from, correlation);
      case CLOSE_SESSION -> {
        connections.closeSession(from, ((CloseSession) frame).sessionId());
        answers.ok(from, correlation);
      }
      case RESOLVE -> {
        Resolve resolve = (Resolve) frame;
        Destination found = lookup.resolve(from, resolve.kind(), resolve.name());
        answers.frame(from, correlation, new Resolved(found.id));
      }
      case DELETE -> {
        Delete delete = (Delete) frame;
        lookup.delete(from, delete.kind(), delete.name());
        answers.ok(from, correlation);
      }
      case CONSUME -> {
        Consume consume = (Consume) frame;
        consumers.consume(connections.session(from, consume.sessionId()), correlation, consume);
      }
      case CLOSE_CONSUMER -> {
        CloseConsumer close = (CloseConsumer) frame;
        consumers.close(from, close.consumerId(), close.handedOrdinal());
        answers.ok(from, correlation);
      }
      case STOP_CONSUMER -> {
        StopConsumer stop = (StopConsumer) frame;
        consumers.stop(from, stop.consumerId(), stop.handedOrdinal());
        answers.ok(from, correlation);
      }
      case UNSUBSCRIBE -> {
        durables.delete(from.clientId, ((Unsubscribe) frame).subscriptionName());
        answers.ok(from, correlation);
      }
      case COMMIT, ROLLBACK, QUERY_OUTCOME, XA_START, XA_END, XA_COMPLETE, XA_RECOVER ->
          transactions.frame(from, correlation, frame);
      case ADMIN -> {
        Admin admin = (Admin) frame;
        if (admin.operation().startsWith("tx.")) {
          transactions.admin(from, correlation, admin.operation(), admin.arguments());
        } else {
          answers.frame(
              from, correlation, operations.run(from, admin.operation(), admin.arguments()));
        }
      }
      default ->
          connections.refuse(
              from, ErrorCode.PROTOCOL, "a client does not send " + frame.type() + " frames");
    }
  }

  private void acknowledge(Connection from, int correlation, Ack ack) {
    if (ack.transaction() != 0) {
      transactions.acknowledge(
          from, correlation, ack.ackSequence(), ack.transaction(), ack.ranges());
      return;
    }
    boolean awaited = correlation != 0 || ack.ackSequence() == 0;
    boolean all = acknowledgements.acknowledge(from, awaited, ack.ranges(), correlation != 0);
    if (correlation != 0 && all) {
      effects.awaitAppended(); // what was acknowledged before may not be durable yet
      answers.ok(from, correlation);
    } else if (correlation != 0) {
      answers.failure(
          from, correlation, ErrorCode.IN_USE, "some of the messages are with another consumer");
    } else {
      effects.confirmAck(from.number, ack.ackSequence());
    }
  }

  private void release(Connection from, int correlation, Release release) {
    for (Delivery delivery : Deliveries.named(from, release.ranges())) {
      if (delivery.holder == null) {
        if (release.counted()) {
          redelivery.seen(delivery);
        } else {
          redelivery.unseen(delivery);
        }
      }
    }
    answers.ok(from, correlation);
  }

  private void readBody(Connection from, int correlation, ReadBody read) {
    Subscription subscription = destinations.subscription(read.subscriptionId());
    LaneState lane = subscription == null ? null : subscription.lane(read.lane());
    Delivery delivery = lane == null ? null : lane.out.get(read.sequence());
    boolean own =
        delivery != null && delivery.session != null && delivery.session.connection == from;
    long file = own ? delivery.largeBody : 0;
    for (Browser browser : from.browsers.values()) {
      file =
          file != 0 ? file : browser.largeBody(read.subscriptionId(), read.lane(), read.sequence());
    }
    if (file == 0) {
      throw new CoreException(
          ErrorCode.STALE, "the message is no longer with this connection, or has no large body");
    }
    effects.readBody(from.number, correlation, file, read.offset(), read.length());
  }
}
