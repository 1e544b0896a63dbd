package io.metaq.jndi;

import io.metaq.jms.AbstractConnectionFactory;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.jms.MetaqDestination;
import io.metaq.jms.MetaqQueue;
import io.metaq.jms.MetaqTopic;
import io.metaq.jms.MetaqXAConnectionFactory;
import java.util.Hashtable;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;

/**
 * Makes connection factories and destinations from naming references.
 *
 * <p>Serves the references that our own objects give of themselves, and resources declared in a
 * container by interface, such as {@code type="jakarta.jms.Queue" physicalName="orders"} or {@code
 * type="jakarta.jms.ConnectionFactory" url="metaq://localhost:8123"} with optional {@code user},
 * {@code password} and {@code clientId}.
 */
public final class MetaqObjectFactory implements ObjectFactory {

  /**
   * Makes the object.
   *
   * @return null when the reference is not for a class of ours, as the contract of object factories
   *     wants it
   * @throws ConfigurationException when an address is missing or not usable
   */
  @Override
  public Object getObjectInstance(
      Object object, Name name, Context context, Hashtable<?, ?> environment)
      throws NamingException {
    if (!(object instanceof Reference reference)) {
      return null;
    }
    return switch (reference.getClassName()) {
      case "io.metaq.jms.MetaqQueue", "jakarta.jms.Queue" ->
          destination(reference, MetaqQueue::new);
      case "io.metaq.jms.MetaqTopic", "jakarta.jms.Topic" ->
          destination(reference, MetaqTopic::new);
      case "io.metaq.jms.MetaqConnectionFactory",
          "jakarta.jms.ConnectionFactory",
          "jakarta.jms.QueueConnectionFactory",
          "jakarta.jms.TopicConnectionFactory" ->
          factory(reference, MetaqConnectionFactory::new);
      case "io.metaq.jms.MetaqXAConnectionFactory",
          "jakarta.jms.XAConnectionFactory",
          "jakarta.jms.XAQueueConnectionFactory",
          "jakarta.jms.XATopicConnectionFactory" ->
          factory(reference, MetaqXAConnectionFactory::new);
      default -> null;
    };
  }

  private static MetaqDestination destination(
      Reference reference, Function<String, MetaqDestination> maker) throws NamingException {
    try {
      return maker.apply(required(reference, MetaqDestination.NAME_ADDRESS));
    } catch (IllegalArgumentException e) {
      throw unusable(reference, e);
    }
  }

  private static AbstractConnectionFactory factory(
      Reference reference, Function<String, AbstractConnectionFactory> maker)
      throws NamingException {
    String url = required(reference, AbstractConnectionFactory.URL_ADDRESS);
    try {
      AbstractConnectionFactory factory = maker.apply(url);
      ifPresent(reference, AbstractConnectionFactory.USER_ADDRESS, factory::setUser);
      ifPresent(reference, AbstractConnectionFactory.PASSWORD_ADDRESS, factory::setPassword);
      ifPresent(reference, AbstractConnectionFactory.CLIENT_ID_ADDRESS, factory::setClientId);
      return factory;
    } catch (IllegalArgumentException e) {
      throw unusable(reference, e);
    }
  }

  private static void ifPresent(Reference reference, String type, Consumer<String> setter) {
    String value = optional(reference, type);
    if (value != null) {
      setter.accept(value);
    }
  }

  private static String required(Reference reference, String type) throws NamingException {
    String value = optional(reference, type);
    if (value == null) {
      throw new ConfigurationException(
          "The reference to a " + reference.getClassName() + " has no " + type);
    }
    return value;
  }

  private static String optional(Reference reference, String type) {
    RefAddr address = reference.get(type);
    Object content = address == null ? null : address.getContent();
    return content == null || content.toString().isEmpty() ? null : content.toString();
  }

  private static ConfigurationException unusable(Reference reference, Exception cause) {
    ConfigurationException e =
        new ConfigurationException(
            "The reference to a "
                + reference.getClassName()
                + " is not usable: "
                + cause.getMessage());
    e.setRootCause(cause);
    return e;
  }
}
