package io.metaq.broker.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/** A socket that speaks our protocol, and after its login the JMS connection behind it. */
final class Connection {
  final int number;
  final String peer;
  final TreeMap<Integer, Session> sessions = new TreeMap<>();
  final TreeMap<Integer, Consumer> consumers = new TreeMap<>();
  final TreeMap<Integer, Browser> browsers = new TreeMap<>();

  /** Temporary destinations of this JMS connection that this socket made or took over. */
  final List<Destination> temporaries = new ArrayList<>();

  UUID id;
  int attempt;
  String client;
  String clientId;

  /**
   * Sends up to this number may be stored already: what this JMS connection sent before is
   * forgotten.
   */
  long forgottenUpTo = -1;

  /** The lowest id that a consumer of this socket has had; those before were of earlier sockets. */
  int firstConsumer = Integer.MAX_VALUE;

  boolean writable = true;
  boolean closed;

  Connection(int number, String peer) {
    this.number = number;
    this.peer = peer;
  }

  boolean isLoggedIn() {
    return id != null;
  }

  @Override
  public String toString() {
    return client + " at " + peer + (clientId == null ? "" : " (client id " + clientId + ")");
  }
}
