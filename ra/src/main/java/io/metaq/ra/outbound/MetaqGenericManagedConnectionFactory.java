package io.metaq.ra.outbound;

import jakarta.resource.spi.ConnectionDefinition;

/** Offers connections under {@link jakarta.jms.ConnectionFactory}. */
@ConnectionDefinition(
    connectionFactory = jakarta.jms.ConnectionFactory.class,
    connectionFactoryImpl = RaConnectionFactory.class,
    connection = jakarta.jms.Connection.class,
    connectionImpl = ConnectionHandle.class)
public final class MetaqGenericManagedConnectionFactory extends MetaqManagedConnectionFactory {
  private static final long serialVersionUID = 1L;
}
