package io.metaq.tck.joram;

import io.metaq.tck.harness.BrokerMode;
import io.metaq.tck.harness.BrokerUnderTest;
import io.metaq.tck.harness.ClientOptions;
import io.metaq.tck.harness.Providers;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import org.objectweb.jtests.jms.admin.Admin;

/**
 * What the Joram suite asks of a product. The suite makes one for each test by its class name, so
 * the broker that the tests share is held by the class.
 */
public final class JoramAdmin implements Admin {

  private static BrokerUnderTest shared;

  private final Map<String, Object> names = new ConcurrentHashMap<>();

  /** Starts the broker for the tests to come. */
  static synchronized void open() throws Exception {
    shared = Providers.selected().start(BrokerMode.OPEN);
  }

  static synchronized void shut() {
    shared.close();
    shared = null;
  }

  private static synchronized BrokerUnderTest broker() {
    return shared;
  }

  @Override
  public String getName() {
    return Providers.selectedName();
  }

  /** A naming context that can look up and be closed. */
  @Override
  public Context createContext() {
    return (Context)
        Proxy.newProxyInstance(
            JoramAdmin.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "lookup" -> lookUp(String.valueOf(arguments[0]));
                  case "close" -> null;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Object lookUp(String name) throws NameNotFoundException {
    Object found = names.get(name);
    if (found == null) {
      throw new NameNotFoundException(name);
    }
    return found;
  }

  @Override
  public void createConnectionFactory(String name) {
    names.put(name, broker().connectionFactory(ClientOptions.plain()));
  }

  @Override
  public void createQueueConnectionFactory(String name) {
    names.put(name, broker().queueConnectionFactory(ClientOptions.plain()));
  }

  @Override
  public void createTopicConnectionFactory(String name) {
    names.put(name, broker().topicConnectionFactory(ClientOptions.plain()));
  }

  @Override
  public void createQueue(String name) {
    withSession(session -> names.put(name, session.createQueue(name)));
  }

  @Override
  public void createTopic(String name) {
    withSession(session -> names.put(name, session.createTopic(name)));
  }

  /** A use of a session. */
  private interface Use {
    void of(Session session) throws JMSException;
  }

  private static void withSession(Use use) {
    try (var connection = broker().connectionFactory(ClientOptions.plain()).createConnection()) {
      use.of(connection.createSession());
    } catch (JMSException e) {
      throw new AssertionError("cannot make a destination", e);
    }
  }

  @Override
  public void deleteQueue(String name) {
    names.remove(name);
  }

  @Override
  public void deleteTopic(String name) {
    names.remove(name);
  }

  @Override
  public void deleteConnectionFactory(String name) {
    names.remove(name);
  }

  @Override
  public void deleteQueueConnectionFactory(String name) {
    names.remove(name);
  }

  @Override
  public void deleteTopicConnectionFactory(String name) {
    names.remove(name);
  }

  /** The broker runs already; it is emptied between two tests. */
  @Override
  public void startServer() throws Exception {
    broker().empty();
  }

  @Override
  public void stopServer() {
    names.clear();
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}
}
