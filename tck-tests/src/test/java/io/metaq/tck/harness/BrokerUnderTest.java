package io.metaq.tck.harness;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;

/** A running broker, and the client side administered objects that lead to it. */
public interface BrokerUnderTest extends AutoCloseable {

  /** The port it listens on; stays the same over {@link #restart()}. */
  int port();

  ConnectionFactory connectionFactory(ClientOptions options);

  QueueConnectionFactory queueConnectionFactory(ClientOptions options);

  TopicConnectionFactory topicConnectionFactory(ClientOptions options);

  XAConnectionFactory xaConnectionFactory(ClientOptions options);

  /** Stops the broker and starts it again on the same data and port. */
  void restart() throws Exception;

  /** Deletes every message, destination and subscription, without restarting. */
  void empty() throws Exception;

  @Override
  void close();
}
