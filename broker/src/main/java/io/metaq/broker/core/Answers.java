package io.metaq.broker.core;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;

/** Answers to requests. A one-way frame has correlation 0 and gets none, not even a refusal. */
final class Answers {
  private final Effects effects;

  Answers(Effects effects) {
    this.effects = effects;
  }

  void ok(Connection connection, int correlation) {
    frame(connection, correlation, Ok.INSTANCE);
  }

  /** For what nothing durable stands behind. */
  void okNow(Connection connection, int correlation) {
    if (correlation != 0 && !connection.closed) {
      effects.sendNow(connection.number, correlation, Ok.INSTANCE);
    }
  }

  void frame(Connection connection, int correlation, Frame answer) {
    if (correlation != 0 && !connection.closed) {
      effects.send(connection.number, correlation, answer);
    }
  }

  void failure(Connection connection, int correlation, CoreException refused) {
    frame(
        connection,
        correlation,
        new Failure(refused.code(), refused.getMessage(), refused.detail()));
  }

  void failure(Connection connection, int correlation, ErrorCode code, String message) {
    frame(connection, correlation, new Failure(code, message));
  }
}
