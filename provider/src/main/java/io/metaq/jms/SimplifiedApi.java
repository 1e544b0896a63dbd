package io.metaq.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/**
 * Parts of the simplified API over handles of the classic one, for a resource adapter, whose
 * handles outlive the sessions and consumers behind them.
 */
public final class SimplifiedApi {
  private SimplifiedApi() {}

  /**
   * A producer that sends through a handle. It makes no asynchronous sends (Messaging 12.2).
   *
   * @param session a session of this provider, for the messages
   * @param handle an unbound producer
   */
  public static JMSProducer producer(Session session, MessageProducer handle) {
    MessageFactory messages = ((MetaqSession) session).core().connection().messages();
    return new MetaqJmsProducer(messages, new HandleOutlet(handle));
  }

  /**
   * Receives a message and gives its body.
   *
   * @param consumer a consumer of this provider
   * @param timeoutMillis longest wait; 0 = for ever, less = none
   */
  public static <T> T receiveBody(MessageConsumer consumer, Class<T> type, long timeoutMillis)
      throws JMSException {
    long nanos = timeoutMillis < 0 ? 0 : MetaqConsumer.nanos(timeoutMillis);
    return MetaqJmsConsumer.receiveBody((MetaqConsumer) consumer, type, nanos);
  }

  private record HandleOutlet(MessageProducer handle) implements MetaqJmsProducer.Outlet {
    @Override
    public void requireOpen() throws JMSException {
      handle.getDestination();
    }

    @Override
    public void requireCallbacksAllowed() {
      throw new IllegalStateRuntimeException(
          "Asynchronous sends are not for Jakarta EE components (Messaging 12.2)");
    }

    @Override
    public void send(
        MetaqDestination target, Message message, SendOptions options, CompletionListener async)
        throws JMSException {
      handle.setDeliveryDelay(options.deliveryDelay());
      handle.setDisableMessageID(options.withoutId());
      handle.setDisableMessageTimestamp(options.withoutTimestamp());
      handle.send(
          target, message, options.deliveryMode(), options.priority(), options.timeToLive());
    }
  }
}
