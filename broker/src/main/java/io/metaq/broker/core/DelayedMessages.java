package io.metaq.broker.core;

import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Send;
import java.nio.ByteBuffer;

/** Keeps messages until they are due. */
final class DelayedMessages {
  void accept(
      Session session,
      Send send,
      Destination destination,
      ByteBuffer content,
      boolean durable,
      boolean large) {
    throw new CoreException(ErrorCode.UNSUPPORTED, "delayed delivery is not available yet");
  }

  void applyDelayed(Destination destination, Entry.Appended entry) {
    // filled in with delayed delivery
  }

  void applyDue(Destination destination, long sequence) {
    // filled in with delayed delivery
  }
}
