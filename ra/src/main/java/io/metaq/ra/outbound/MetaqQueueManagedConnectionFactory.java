package io.metaq.ra.outbound;

import jakarta.resource.spi.ConnectionDefinition;

/** Offers connections under {@link jakarta.jms.QueueConnectionFactory}. */
@ConnectionDefinition(
    connectionFactory = jakarta.jms.QueueConnectionFactory.class,
    connectionFactoryImpl = RaConnectionFactory.class,
    connection = jakarta.jms.QueueConnection.class,
    connectionImpl = ConnectionHandle.class)
public final class MetaqQueueManagedConnectionFactory extends MetaqManagedConnectionFactory {
  private static final long serialVersionUID = 1L;
}
