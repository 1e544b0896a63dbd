package io.metaq.tck.peers.load;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.XAConnectionFactory;

/**
 * The factories of the provider on this class path, by reflection: nothing of it is compiled in.
 */
final class Provider {

  private final ConnectionFactory factory;
  private final XAConnectionFactory xaFactory;

  Provider(String factoryClass, String xaFactoryClass, String url)
      throws ReflectiveOperationException {
    factory = make(factoryClass, url, ConnectionFactory.class);
    xaFactory = make(xaFactoryClass, url, XAConnectionFactory.class);
  }

  private static <T> T make(String name, String url, Class<T> type)
      throws ReflectiveOperationException {
    return type.cast(Class.forName(name).getConstructor(String.class).newInstance(url));
  }

  ConnectionFactory factory() {
    return factory;
  }

  XAConnectionFactory xaFactory() {
    return xaFactory;
  }
}
