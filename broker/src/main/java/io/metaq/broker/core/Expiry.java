package io.metaq.broker.core;

/** Ends messages whose time is over, with or without consumers. */
final class Expiry {
  void add(Destination destination, Lane lane, long sequence, long expiration) {
    // filled in with the expiry index
  }

  void forget(Destination destination) {
    // filled in with the expiry index
  }
}
