package io.metaq.broker.core;

import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.FrameCodec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Sockets, the JMS connections behind them, their client ids and sessions; and what happens when
 * one of these ends.
 */
final class Connections {
  /** How long the temporary destinations of a lost connection wait for it to come back. */
  private static final long TEMPORARIES_WAIT_MILLIS = 60_000;

  private static final int MOST_SESSIONS = 65_536;

  private final CoreSettings settings;
  private final Effects effects;
  private final Answers answers;
  private final Producers producers;
  private final Consumers consumers;
  private final Redelivery redelivery;
  private final Lookup lookup;
  private final Sends sends;
  private final Room room;
  private final Timers timers;
  private final Moment moment;
  private final LongMap<Connection> sockets = new LongMap<>();
  private final Map<UUID, Connection> byId = new HashMap<>();
  private final Map<String, Connection> byClientId = new HashMap<>();
  private TransactionSink transactions = TransactionSink.NONE;

  Connections(
      CoreSettings settings,
      Effects effects,
      Answers answers,
      Producers producers,
      Consumers consumers,
      Redelivery redelivery,
      Lookup lookup,
      Sends sends,
      Room room,
      Timers timers,
      Moment moment) {
    this.settings = settings;
    this.effects = effects;
    this.answers = answers;
    this.producers = producers;
    this.consumers = consumers;
    this.redelivery = redelivery;
    this.lookup = lookup;
    this.sends = sends;
    this.room = room;
    this.timers = timers;
    this.moment = moment;
  }

  void connect(TransactionSink sink) {
    this.transactions = sink;
  }

  void connected(int number, String peer) {
    sockets.put(number, new Connection(number, peer));
  }

  /** Null if it is closed or was never there. */
  Connection socket(int number) {
    return sockets.get(number);
  }

  int count() {
    return byId.size();
  }

  boolean isThere(UUID id) {
    return byId.containsKey(id);
  }

  void hello(Connection connection, int correlation, Hello hello) {
    if (connection.isLoggedIn()) {
      refuse(connection, ErrorCode.PROTOCOL, "a second Hello on one connection");
      return;
    }
    if (hello.protocolVersion() != FrameCodec.PROTOCOL_VERSION) {
      refuse(
          connection,
          ErrorCode.UNSUPPORTED,
          "protocol version "
              + hello.protocolVersion()
              + "; this broker speaks "
              + FrameCodec.PROTOCOL_VERSION);
      return;
    }
    Connection former = byId.get(hello.connectionId());
    if (former != null && former.attempt >= hello.attempt()) {
      refuse(connection, ErrorCode.CLOSING, "a later socket of this connection is here already");
      return;
    }
    String clientId = emptyAsNull(hello.clientId());
    Connection holder = clientId == null ? null : byClientId.get(clientId);
    if (holder != null && holder != former) {
      refuse(connection, ErrorCode.INVALID_CLIENT_ID, inUse(clientId, holder));
      return;
    }
    if (former != null) {
      refuse(former, ErrorCode.CLOSING, "another socket took this connection over");
    }
    connection.id = hello.connectionId();
    connection.attempt = hello.attempt();
    connection.client = hello.client();
    byId.put(connection.id, connection);
    if (clientId != null) {
      connection.clientId = clientId;
      byClientId.put(clientId, connection);
    }
    connection.forgottenUpTo = producers.back(connection.id);
    transactions.connectionBegins(connection);
    effects.send(connection.number, correlation, welcome());
  }

  private Welcome welcome() {
    return new Welcome(
        FrameCodec.PROTOCOL_VERSION,
        settings.brokerIdentity(),
        settings.brokerId(),
        settings.generation(),
        moment.now(),
        settings.heartbeatMillis(),
        FrameCodec.MAX_INLINE_BODY,
        settings.maxMessageSize(),
        settings.version());
  }

  private static String emptyAsNull(String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  private static String inUse(String clientId, Connection holder) {
    return "client id " + clientId + " is in use by " + holder;
  }

  void setClientId(Connection connection, int correlation, String clientId) {
    if (connection.clientId != null || clientId.isEmpty()) {
      throw new CoreException(
          ErrorCode.INVALID_CLIENT_ID,
          clientId.isEmpty()
              ? "an empty client id"
              : "this connection has the client id " + connection.clientId);
    }
    Connection holder = byClientId.get(clientId);
    if (holder != null) {
      throw new CoreException(ErrorCode.INVALID_CLIENT_ID, inUse(clientId, holder));
    }
    connection.clientId = clientId;
    byClientId.put(clientId, connection);
    answers.ok(connection, correlation);
  }

  /** The session of that number; it begins with the first frame that names it. */
  Session session(Connection connection, int id) {
    Session session = connection.sessions.get(id);
    if (session == null) {
      if (connection.sessions.size() >= MOST_SESSIONS) {
        throw new CoreException(
            ErrorCode.RESOURCE_LIMIT, "more than " + MOST_SESSIONS + " sessions on one connection");
      }
      session = new Session(connection, id, producers.producer(connection.id, id));
      connection.sessions.put(id, session);
    }
    return session;
  }

  /** In order: exactly what was reported as handed counts as delivered. */
  void closeSession(Connection connection, int id) {
    Session session = connection.sessions.remove(id);
    if (session != null) {
      end(session, false);
      producers.closed(connection.id, id);
      transactions.sessionClosed(session);
    }
  }

  /** Everything delivered comes back; {@code handed} of it counts. Credit ends. */
  void recover(Session session, List<io.metaq.wire.MessageFrames.Range> handed) {
    Set<Delivery> counted = Deliveries.named(session, handed);
    session.consumers.forEach(Consumer::stop);
    List<Delivery> all = session.deliveries(delivery -> delivery.holder == null);
    for (Delivery delivery : all) {
      if (counted.contains(delivery)) {
        redelivery.seen(delivery);
      } else {
        redelivery.unseen(delivery);
      }
    }
  }

  private void end(Session session, boolean lost) {
    sends.sessionEnds(session);
    transactions.sessionEnds(session);
    for (Consumer consumer : List.copyOf(session.consumers)) {
      consumers.remove(consumer);
    }
    for (Browser browser : List.copyOf(session.connection.browsers.values())) {
      if (browser.session() == session) {
        browser.close();
        session.connection.browsers.remove(browser.id());
      }
    }
    Set<Consumer> nextInLine = new HashSet<>();
    for (Delivery delivery : session.deliveries(delivery -> delivery.holder == null)) {
      Consumer consumer = delivery.consumer;
      boolean begun = delivery.ordinal <= consumer.handed || lost && nextInLine.add(consumer);
      if (begun) {
        redelivery.seen(delivery);
      } else {
        redelivery.unseen(delivery);
      }
    }
  }

  /** The client says goodbye: all that is its own goes with it. */
  void goodbye(Connection connection, int correlation) {
    forget(connection, false);
    for (Destination temporary : List.copyOf(connection.temporaries)) {
      lookup.deleteOwned(temporary);
    }
    answers.ok(connection, correlation);
    connection.closed = true;
  }

  /** The socket is gone. */
  void disconnected(Connection connection) {
    if (connection.isLoggedIn() && byId.get(connection.id) == connection) {
      forget(connection, true);
      producers.gone(connection.id, moment.now());
      if (!connection.temporaries.isEmpty()) {
        timers.at(moment.now() + TEMPORARIES_WAIT_MILLIS, () -> deleteTemporaries(connection));
      }
    }
    sockets.remove(connection.number);
    connection.closed = true;
  }

  private void deleteTemporaries(Connection connection) {
    if (!isThere(connection.id)) {
      for (Destination temporary : List.copyOf(connection.temporaries)) {
        lookup.deleteOwned(temporary);
      }
    }
  }

  /** Says why and ends it. */
  void refuse(Connection connection, ErrorCode code, String why) {
    effects.close(connection.number, code, why);
    disconnected(connection);
  }

  private void forget(Connection connection, boolean lost) {
    byId.remove(connection.id);
    if (connection.clientId != null) {
      byClientId.remove(connection.clientId, connection);
    }
    effects.dropUploads(connection.number);
    room.gone(connection);
    transactions.connectionEnds(connection, lost);
    for (Session session : List.copyOf(connection.sessions.values())) {
      end(session, lost);
      if (!lost) {
        producers.closed(connection.id, session.id);
      }
    }
    connection.sessions.clear();
  }

  /** Everybody goes, as at an orderly stop of the broker. */
  void closeAll(String why) {
    for (long number : sockets.keys()) {
      refuse(sockets.get(number), ErrorCode.CLOSING, why);
    }
  }
}
