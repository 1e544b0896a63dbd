package io.metaq.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** How a session acknowledges. */
enum AckMode {
  AUTO(Session.AUTO_ACKNOWLEDGE),
  DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE),
  CLIENT(Session.CLIENT_ACKNOWLEDGE),
  INDIVIDUAL(MetaqSession.INDIVIDUAL_ACKNOWLEDGE),
  TRANSACTED(Session.SESSION_TRANSACTED);

  private final int code;

  AckMode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Whether what is handed over stays with the session until something else is called. */
  boolean keepsUnacknowledged() {
    return this == CLIENT || this == INDIVIDUAL || this == TRANSACTED;
  }

  static AckMode of(int code) throws JMSException {
    for (AckMode mode : values()) {
      if (mode.code == code) {
        return mode;
      }
    }
    throw new JMSException(
        "Session mode "
            + code
            + " is none of AUTO_ACKNOWLEDGE (1), CLIENT_ACKNOWLEDGE (2), DUPS_OK_ACKNOWLEDGE (3),"
            + " SESSION_TRANSACTED (0) and INDIVIDUAL_ACKNOWLEDGE (101)");
  }
}
