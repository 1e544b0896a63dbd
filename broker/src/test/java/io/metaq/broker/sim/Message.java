package io.metaq.broker.sim;

import java.util.UUID;

/** A message that a scripted client has sent, and what the model knows of it. */
final class Message {

  /** What became of the send. */
  enum Status {
    /** Nobody was told. */
    UNKNOWN,
    /** The broker said it is stored: it must not be lost. */
    STORED,
    /** The broker said it is not stored: it must not appear. */
    REFUSED
  }

  /** Messages of one session of one connection, which must stay in order. */
  record Stream(String destination, UUID producer, int session, int priority) {}

  final String id;
  final Stream stream;
  final long sequence;
  final boolean persistent;
  Status status = Status.UNKNOWN;

  Message(Stream stream, long sequence, boolean persistent) {
    this.id = "ID:" + stream.producer() + "-" + stream.session() + "-" + sequence;
    this.stream = stream;
    this.sequence = sequence;
    this.persistent = persistent;
  }

  @Override
  public String toString() {
    return id + (persistent ? "" : " (non-persistent)") + " " + status;
  }
}
