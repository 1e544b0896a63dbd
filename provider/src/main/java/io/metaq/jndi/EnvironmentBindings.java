package io.metaq.jndi;

import io.metaq.jms.AbstractConnectionFactory;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.jms.MetaqQueue;
import io.metaq.jms.MetaqTopic;
import io.metaq.jms.MetaqXAConnectionFactory;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.Context;

/**
 * Reads the bindings of a context from its environment.
 *
 * <p>Apart from the context because these are the rules of the property names, and all their faults
 * are reported at once.
 */
final class EnvironmentBindings {

  private static final List<String> DEFAULT_FACTORIES =
      List.of("ConnectionFactory", "QueueConnectionFactory", "TopicConnectionFactory");
  private static final List<String> DEFAULT_XA_FACTORIES =
      List.of("XAConnectionFactory", "XAQueueConnectionFactory", "XATopicConnectionFactory");

  private final Hashtable<?, ?> environment;
  private final Map<String, Object> bindings = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();

  EnvironmentBindings(Hashtable<?, ?> environment) {
    this.environment = environment;
  }

  Map<String, Object> read() throws ConfigurationException {
    String providerUrl = text(Context.PROVIDER_URL, AbstractConnectionFactory.DEFAULT_URL);
    for (String name : DEFAULT_FACTORIES) {
      bindFactory(Context.PROVIDER_URL, name, providerUrl, MetaqConnectionFactory::new);
    }
    for (String name : DEFAULT_XA_FACTORIES) {
      bindFactory(Context.PROVIDER_URL, name, providerUrl, MetaqXAConnectionFactory::new);
    }
    environment.forEach((key, value) -> readProperty("" + key, "" + value, providerUrl));
    if (!faults.isEmpty()) {
      throw new ConfigurationException(
          "The naming environment is not usable: "
              + String.join("; ", faults.stream().distinct().sorted().toList()));
    }
    return bindings;
  }

  private void readProperty(String key, String value, String providerUrl) {
    int dot = key.indexOf('.');
    String name = key.substring(dot + 1);
    switch (key.substring(0, Math.max(dot, 0))) {
      case "queue" -> bindDestination(key, name, value);
      case "topic" -> bindDestination(key, name, value);
      case "connectionFactory" ->
          bindFactory(
              key, name, value.isBlank() ? providerUrl : value, MetaqConnectionFactory::new);
      case "xaConnectionFactory" ->
          bindFactory(
              key, name, value.isBlank() ? providerUrl : value, MetaqXAConnectionFactory::new);
      default -> {
        // Other people's properties share the environment.
      }
    }
  }

  private void bindDestination(String key, String name, String physicalName) {
    if (physicalName.isBlank()) {
      faults.add(key + " has no physical name");
      return;
    }
    boolean queue = key.startsWith("queue.");
    try {
      bind(
          key,
          name,
          queue ? new MetaqQueue(physicalName.trim()) : new MetaqTopic(physicalName.trim()));
    } catch (IllegalArgumentException e) {
      faults.add(key + ": " + e.getMessage());
    }
  }

  private void bindFactory(
      String key, String name, String url, Function<String, AbstractConnectionFactory> maker) {
    try {
      AbstractConnectionFactory factory = maker.apply(url.trim());
      if (environment.get(Context.SECURITY_PRINCIPAL) != null) {
        factory.setUser(text(Context.SECURITY_PRINCIPAL, ""));
        factory.setPassword(text(Context.SECURITY_CREDENTIALS, ""));
      }
      bind(key, name, factory);
    } catch (IllegalArgumentException e) {
      faults.add(key + ": " + e.getMessage());
    }
  }

  private void bind(String key, String name, Object object) {
    if (name.isEmpty() || name.startsWith("/") || name.endsWith("/") || name.contains("//")) {
      faults.add(key + " names nothing");
    } else {
      bindings.put(name, object);
    }
  }

  private String text(String key, String otherwise) {
    Object value = environment.get(key);
    return value == null || value.toString().isBlank() ? otherwise : value.toString();
  }
}
