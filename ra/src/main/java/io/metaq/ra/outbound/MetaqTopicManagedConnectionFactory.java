package io.metaq.ra.outbound;

import jakarta.resource.spi.ConnectionDefinition;

/** Offers connections under {@link jakarta.jms.TopicConnectionFactory}. */
@ConnectionDefinition(
    connectionFactory = jakarta.jms.TopicConnectionFactory.class,
    connectionFactoryImpl = RaConnectionFactory.class,
    connection = jakarta.jms.TopicConnection.class,
    connectionImpl = ConnectionHandle.class)
public final class MetaqTopicManagedConnectionFactory extends MetaqManagedConnectionFactory {
  private static final long serialVersionUID = 1L;
}
