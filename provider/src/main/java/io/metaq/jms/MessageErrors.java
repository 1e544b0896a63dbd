package io.metaq.jms;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;

/** Makes the exceptions of messages, with their cause where there is one. */
final class MessageErrors {

  private MessageErrors() {}

  static JMSException io(String what, Exception cause) {
    return caused(new JMSException(what + ": " + cause.getMessage()), cause);
  }

  static MessageFormatException format(String what, Exception cause) {
    return caused(new MessageFormatException(what + ": " + cause.getMessage()), cause);
  }

  static MessageNotWriteableException notWriteable() {
    return new MessageNotWriteableException(
        "The body is read-only; call clearBody() before writing to it");
  }

  static MessageNotReadableException notReadable() {
    return new MessageNotReadableException(
        "The body is write-only; call reset() before reading from it");
  }

  private static <E extends JMSException> E caused(E exception, Exception cause) {
    exception.setLinkedException(cause);
    exception.initCause(cause);
    return exception;
  }
}
