package io.metaq.jms;

import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;

/** What stands behind a consumer id of a connection. Called on the reader thread. */
interface DeliverySink {
  void deliver(Deliver delivery);

  /** Everything there was has been delivered, and all credit is gone. */
  void drained(Drained drained);
}
