package io.metaq.jndi;

import java.util.Hashtable;
import java.util.Map;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;

/**
 * A naming context out of properties alone, for {@code jndi.properties} or the environment of an
 * {@code InitialContext}.
 *
 * <p>The shortest form:
 *
 * <pre>
 * java.naming.factory.initial=io.metaq.jndi.MetaqInitialContextFactory
 * java.naming.provider.url=metaq://localhost:8123
 * queue.orders=orders
 * </pre>
 *
 * <p>What the context then holds:
 *
 * <ul>
 *   <li>{@code ConnectionFactory}, {@code QueueConnectionFactory}, {@code TopicConnectionFactory},
 *       {@code XAConnectionFactory}, {@code XAQueueConnectionFactory} and {@code
 *       XATopicConnectionFactory}, for the broker of {@code java.naming.provider.url} (default
 *       {@code metaq://localhost:8123}); {@code java.naming.security.principal} and {@code
 *       .credentials} become the user and password they hold
 *   <li>a factory for every {@code connectionFactory.NAME=url} and {@code
 *       xaConnectionFactory.NAME=url}; an empty URL means the provider's
 *   <li>a queue for every {@code queue.NAME=physical name} and a topic for every {@code topic.NAME}
 *   <li>any queue as {@code dynamicQueues/physical name}, any topic as {@code dynamicTopics/...}
 * </ul>
 *
 * <p>The context is read-only. Names may have several parts, separated by slashes.
 */
public final class MetaqInitialContextFactory implements InitialContextFactory {

  /**
   * Makes the context.
   *
   * @throws javax.naming.ConfigurationException naming every faulty property of the environment
   */
  @Override
  public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
    Map<String, Object> bindings = new EnvironmentBindings(environment).read();
    return new ReadOnlyContext(environment, bindings, "");
  }
}
