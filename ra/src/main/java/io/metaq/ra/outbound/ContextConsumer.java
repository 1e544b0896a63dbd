package io.metaq.ra.outbound;

import io.metaq.jms.Failures;
import io.metaq.jms.SimplifiedApi;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A consumer of the simplified API over a consumer handle; it has no listeners. */
record ContextConsumer(ConsumerHandle handle) implements JMSConsumer {
  private static final long NO_WAIT = -1;

  @Override
  public String getMessageSelector() {
    return Failures.simplified(handle::getMessageSelector);
  }

  private static IllegalStateRuntimeException noListeners() {
    return new IllegalStateRuntimeException(
        "Listeners are not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public MessageListener getMessageListener() {
    throw noListeners();
  }

  @Override
  public void setMessageListener(MessageListener listener) {
    throw noListeners();
  }

  @Override
  public Message receive() {
    return Failures.simplified(() -> handle.receive());
  }

  @Override
  public Message receive(long timeout) {
    return Failures.simplified(() -> handle.receive(timeout));
  }

  @Override
  public Message receiveNoWait() {
    return Failures.simplified(handle::receiveNoWait);
  }

  private <T> T body(Class<T> type, long timeoutMillis) {
    return Failures.simplified(
        () -> handle.consumer().call(from -> SimplifiedApi.receiveBody(from, type, timeoutMillis)));
  }

  @Override
  public <T> T receiveBody(Class<T> type) {
    return body(type, 0);
  }

  @Override
  public <T> T receiveBody(Class<T> type, long timeout) {
    return body(type, Math.max(0, timeout));
  }

  @Override
  public <T> T receiveBodyNoWait(Class<T> type) {
    return body(type, NO_WAIT);
  }

  @Override
  public void close() {
    handle.close();
  }
}
