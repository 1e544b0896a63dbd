package io.metaq.jms;

import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.io.IOException;

/**
 * The one place that says which exception of the API stands for which failure, checked and
 * unchecked.
 */
public final class Failures {
  private Failures() {}

  /** What the broker refused. */
  static JMSException refused(String doing, RequestRefusedException refusal) {
    String reason = doing + ": " + refusal.getMessage();
    String code = refusal.code().name();
    JMSException failure =
        switch (refusal.code()) {
          case SECURITY -> new JMSSecurityException(reason, code);
          case INVALID_CLIENT_ID -> new InvalidClientIDException(reason, code);
          case INVALID_DESTINATION, STALE -> new InvalidDestinationException(reason, code);
          case INVALID_SELECTOR -> new InvalidSelectorException(reason, code);
          case ILLEGAL_STATE -> new IllegalStateException(reason, code);
          case RESOURCE_LIMIT, STORAGE -> new ResourceAllocationException(reason, code);
          case ROLLED_BACK -> new TransactionRolledBackException(reason, code);
          case PROTOCOL, INTERNAL, XA, OUTCOME_UNKNOWN, UNSUPPORTED, IN_USE, CLOSING ->
              new JMSException(reason, code);
        };
    return caused(failure, refusal);
  }

  /** What did not reach the broker, or whose answer did not come. */
  static JMSException lost(String doing, IOException loss) {
    boolean closed =
        loss instanceof ConnectionLostException lost && lost.isFinal() && lost.getCause() == null;
    JMSException failure =
        closed
            ? new IllegalStateException(doing + ": the connection is closed")
            : new JMSException(doing + ": " + loss.getMessage(), "CONNECTION_LOST");
    return caused(failure, loss);
  }

  static JMSException caused(JMSException failure, Exception cause) {
    failure.initCause(cause);
    failure.setLinkedException(cause);
    return failure;
  }

  static IllegalStateException closed(String what) {
    return new IllegalStateException("The " + what + " is closed");
  }

  /** The unchecked twin that the simplified API throws. */
  public static JMSRuntimeException unchecked(JMSException e) {
    String reason = e.getMessage();
    String code = e.getErrorCode();
    if (e instanceof IllegalStateException) {
      return new IllegalStateRuntimeException(reason, code, e);
    }
    if (e instanceof InvalidClientIDException) {
      return new InvalidClientIDRuntimeException(reason, code, e);
    }
    if (e instanceof InvalidDestinationException) {
      return new InvalidDestinationRuntimeException(reason, code, e);
    }
    if (e instanceof InvalidSelectorException) {
      return new InvalidSelectorRuntimeException(reason, code, e);
    }
    if (e instanceof JMSSecurityException) {
      return new JMSSecurityRuntimeException(reason, code, e);
    }
    if (e instanceof MessageFormatException) {
      return new MessageFormatRuntimeException(reason, code, e);
    }
    if (e instanceof MessageNotWriteableException) {
      return new MessageNotWriteableRuntimeException(reason, code, e);
    }
    if (e instanceof ResourceAllocationException) {
      return new ResourceAllocationRuntimeException(reason, code, e);
    }
    if (e instanceof TransactionInProgressException) {
      return new TransactionInProgressRuntimeException(reason, code, e);
    }
    if (e instanceof TransactionRolledBackException) {
      return new TransactionRolledBackRuntimeException(reason, code, e);
    }
    return new JMSRuntimeException(reason, code, e);
  }

  /** A call of the classic API. */
  @FunctionalInterface
  public interface Call<T> {
    T make() throws JMSException;
  }

  /** A call of the classic API that returns nothing. */
  @FunctionalInterface
  public interface Action {
    void run() throws JMSException;
  }

  /** Makes a classic call with unchecked exceptions. */
  public static <T> T simplified(Call<T> call) {
    try {
      return call.make();
    } catch (JMSException e) {
      throw unchecked(e);
    }
  }

  /** Makes a classic call with unchecked exceptions. */
  public static void simplifiedRun(Action action) {
    try {
      action.run();
    } catch (JMSException e) {
      throw unchecked(e);
    }
  }
}
