package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.ClientOptions;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 6.1.2: client identifiers. */
@Conformance
class ClientIdTest {

  @Test
  @Assertion(section = "6.1.2", text = "A connection has no client id until one is set")
  void noneAtFirst(Jms jms) throws JMSException {
    assertThat(jms.connection().getClientID()).isNull();
    assertThat(jms.context().getClientID()).isNull();
  }

  @Test
  @Assertion(section = "6.1.2", text = "setClientID sets what getClientID returns")
  void setAndGet(Jms jms) throws JMSException {
    String id = jms.name("client");
    Connection connection = jms.connection();
    connection.setClientID(id);
    assertThat(connection.getClientID()).isEqualTo(id);
    String other = jms.name("client");
    JMSContext context = jms.context();
    context.setClientID(other);
    assertThat(context.getClientID()).isEqualTo(other);
  }

  @Test
  @Assertion(
      section = "6.1.2",
      text = "A factory with a preset client id assigns it to its connections and contexts")
  void preset(Jms jms) throws JMSException {
    String id = jms.name("client");
    ConnectionFactory factory = jms.factory(ClientOptions.plain().withClientId(id));
    Connection connection = factory.createConnection();
    assertThat(connection.getClientID()).isEqualTo(id);
    connection.close();
    try (JMSContext context = factory.createContext()) {
      assertThat(context.getClientID()).isEqualTo(id);
    }
  }

  @Test
  @Assertion(
      section = "6.1.2",
      text = "Setting the id where one is preset is an IllegalStateException")
  void presetCannotBeChanged(Jms jms) throws JMSException {
    Connection connection = jms.connection(jms.name("client"));
    assertThrows(IllegalStateException.class, () -> connection.setClientID(jms.name("x")));
    JMSContext context =
        jms.closing(
            jms.factory(ClientOptions.plain().withClientId(jms.name("client"))).createContext());
    assertThrows(IllegalStateRuntimeException.class, () -> context.setClientID(jms.name("x")));
  }

  @Test
  @Assertion(
      section = "6.1.2",
      text = "Setting it a second time is an IllegalStateException, also to the same value")
  void twice(Jms jms) throws JMSException {
    String id = jms.name("client");
    Connection connection = jms.connection();
    connection.setClientID(id);
    assertThrows(IllegalStateException.class, () -> connection.setClientID(jms.name("x")));
    assertThrows(IllegalStateException.class, () -> connection.setClientID(id));
    assertThat(connection.getClientID()).isEqualTo(id);
  }

  /** What counts as an action before which the identifier has to be set. */
  enum Action {
    CREATE_SESSION {
      @Override
      void on(Connection connection) throws JMSException {
        connection.createSession();
      }
    },
    START {
      @Override
      void on(Connection connection) throws JMSException {
        connection.start();
      }
    },
    STOP {
      @Override
      void on(Connection connection) throws JMSException {
        connection.stop();
      }
    },
    GET_META_DATA {
      @Override
      void on(Connection connection) throws JMSException {
        assertThat(connection.getMetaData()).isNotNull();
      }
    },
    GET_EXCEPTION_LISTENER {
      @Override
      void on(Connection connection) throws JMSException {
        assertThat(connection.getExceptionListener()).isNull();
      }
    },
    SET_EXCEPTION_LISTENER {
      @Override
      void on(Connection connection) throws JMSException {
        connection.setExceptionListener(e -> {});
      }
    };

    abstract void on(Connection connection) throws JMSException;
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "6.1.2",
      text = "After any other action setting the client id is an IllegalStateException")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*\\[[3456]\\].*",
      why = "takes only creating a session and starting for actions")
  void afterAnyAction(Action action, Jms jms) throws JMSException {
    Connection connection = jms.connection();
    action.on(connection);
    assertThrows(IllegalStateException.class, () -> connection.setClientID(jms.name("late")));
  }

  @Test
  @Assertion(section = "6.1.2", text = "The same for a context after an action")
  @KnownDeviation(provider = "artemis", why = "a context may set the identifier late")
  void afterAnActionOfAContext(Jms jms) throws JMSException {
    JMSContext started = jms.context();
    started.createConsumer(jms.queue());
    assertThrows(IllegalStateRuntimeException.class, () -> started.setClientID(jms.name("x")));
    JMSContext stopped = jms.context();
    stopped.stop();
    assertThrows(IllegalStateRuntimeException.class, () -> stopped.setClientID(jms.name("x")));
    JMSContext sender = jms.context();
    sender.createProducer().send(jms.queue(), "m");
    assertThrows(IllegalStateRuntimeException.class, () -> sender.setClientID(jms.name("x")));
  }

  @Test
  @Assertion(
      section = "6.1.2",
      text = "An id that is in use is refused with InvalidClientIDException by setClientID")
  void inUse(Jms jms) throws JMSException {
    String id = jms.name("client");
    Connection first = jms.connection();
    first.setClientID(id);
    Connection second = jms.connection();
    invalid(() -> second.setClientID(id));
    JMSContext context = jms.context();
    invalidAtRunTime(() -> context.setClientID(id));
  }

  @Test
  @Assertion(
      section = "6.1.2",
      text = "A preset id that is in use is refused when the connection or context is created")
  void presetInUse(Jms jms) throws JMSException {
    String id = jms.name("client");
    ConnectionFactory factory = jms.factory(ClientOptions.plain().withClientId(id));
    jms.closing(factory.createConnection());
    invalid(() -> jms.closing(factory.createConnection()));
    invalidAtRunTime(() -> jms.closing(factory.createContext()));
  }

  @Test
  @Assertion(section = "6.1.2", text = "After the close of its connection an id is free at once")
  void freeAfterClose(Jms jms) throws JMSException {
    String id = jms.name("client");
    for (int i = 0; i < 5; i++) {
      Connection connection = jms.connection(id);
      assertThat(connection.getClientID()).isEqualTo(id);
      connection.close();
    }
  }

  @Test
  @Assertion(section = "6.1.2", text = "After a refused id another one can be set")
  void anotherAfterRefusal(Jms jms) throws JMSException {
    String id = jms.name("client");
    jms.connection(id);
    Connection second = jms.connection();
    invalid(() -> second.setClientID(id));
    String other = jms.name("client");
    second.setClientID(other);
    assertThat(second.getClientID()).isEqualTo(other);
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "A null or empty client id is refused with InvalidClientIDException")
  @KnownDeviation(provider = "artemis", why = "takes an empty identifier")
  void emptyIds(Jms jms) throws JMSException {
    Connection connection = jms.connection();
    invalid(() -> connection.setClientID(""));
    Connection other = jms.connection();
    invalid(() -> other.setClientID(null));
  }

  @Test
  @Assertion(section = "6.1.8", text = "Contexts made from one context share its client id")
  void contextsShareTheId(Jms jms) throws JMSException {
    String id = jms.name("client");
    JMSContext first = jms.context();
    first.setClientID(id);
    JMSContext second = jms.closing(first.createContext(JMSContext.CLIENT_ACKNOWLEDGE));
    assertThat(second.getClientID()).isEqualTo(id);
    first.close();
    JMSContext other = jms.context();
    invalidAtRunTime(() -> other.setClientID(id));
    second.close();
    jms.context().setClientID(id);
  }

  private static void invalid(Executable call) {
    assertThrows(InvalidClientIDException.class, call);
  }

  private static void invalidAtRunTime(Executable call) {
    assertThrows(InvalidClientIDRuntimeException.class, call);
  }
}
