package io.metaq.broker.cli.perf;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.Optional;

/**
 * A JMS provider named by the class of its factory and a URL, found by reflection so that this
 * program needs none of them to be compiled.
 *
 * @param factoryClass has a public constructor that takes the URL
 * @param url where its broker is
 * @param user empty to log in without
 * @param password of the user
 */
public record Provider(
    String factoryClass, String url, Optional<String> user, Optional<String> password) {

  ConnectionFactory factory() throws JMSException {
    try {
      return (ConnectionFactory)
          Class.forName(factoryClass).getConstructor(String.class).newInstance(url);
    } catch (ReflectiveOperationException | ClassCastException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      JMSException failure =
          new JMSException(
              "cannot make a "
                  + factoryClass
                  + " for "
                  + url
                  + " ("
                  + cause
                  + "); name a ConnectionFactory with a constructor that takes the URL, and put its jars"
                  + " into METAQ_CLASSPATH");
      failure.initCause(e);
      throw failure;
    }
  }

  Connection connect(ConnectionFactory factory) throws JMSException {
    return user.isPresent()
        ? factory.createConnection(user.get(), password.orElse(""))
        : factory.createConnection();
  }

  @Override
  public String toString() {
    return factoryClass + " at " + url;
  }
}
