package io.metaq.jms;

import io.metaq.wire.MessageFrames.Deliver;

/** What stands behind a consumer id of a connection. Called on the reader thread. */
@FunctionalInterface
interface DeliverySink {
  void deliver(Deliver delivery);
}
