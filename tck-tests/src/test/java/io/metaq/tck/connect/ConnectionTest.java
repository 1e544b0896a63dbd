package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sections 6.1 and 6.1.6: creating connections and sessions, and what they tell of the provider.
 */
@Conformance
class ConnectionTest {

  @Test
  @Assertion(
      section = "6.1.6",
      text = "The metadata say version 3.1 of the API, and name the product")
  void metaData(Jms jms) throws JMSException {
    for (ConnectionMetaData data :
        List.of(jms.connection().getMetaData(), jms.context().getMetaData())) {
      assertThat(data.getJMSVersion()).isEqualTo("3.1");
      assertThat(data.getJMSMajorVersion()).isEqualTo(3);
      assertThat(data.getJMSMinorVersion()).isEqualTo(1);
      assertThat(data.getJMSProviderName()).isNotBlank();
      assertThat(data.getProviderVersion()).isNotBlank();
      assertThat(data.getProviderMajorVersion()).isNotNegative();
      assertThat(data.getProviderMinorVersion()).isNotNegative();
    }
  }

  @Test
  @Assertion(
      section = "6.1.6",
      text = "JMSXPropertyNames has JMSXGroupID, JMSXGroupSeq and JMSXDeliveryCount")
  void jmsxPropertyNames(Jms jms) throws JMSException {
    List<Object> names = new ArrayList<>();
    for (Enumeration<?> e = jms.connection().getMetaData().getJMSXPropertyNames();
        e.hasMoreElements(); ) {
      names.add(e.nextElement());
    }
    assertThat(names)
        .contains("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount")
        .allMatch(name -> name.toString().startsWith("JMSX"));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Session.AUTO_ACKNOWLEDGE,
        Session.CLIENT_ACKNOWLEDGE,
        Session.DUPS_OK_ACKNOWLEDGE,
        Session.SESSION_TRANSACTED
      })
  @Assertion(section = "6.2", text = "Sessions and contexts of every mode say which mode they have")
  void sessionModes(int mode, Jms jms) throws JMSException {
    boolean transacted = mode == Session.SESSION_TRANSACTED;
    Session session = jms.connection().createSession(mode);
    assertThat(session.getAcknowledgeMode()).isEqualTo(mode);
    assertThat(session.getTransacted()).isEqualTo(transacted);
    Session older = jms.connection().createSession(transacted, mode);
    assertThat(older.getAcknowledgeMode()).isEqualTo(mode);
    assertThat(older.getTransacted()).isEqualTo(transacted);
    JMSContext context = jms.context(mode);
    assertThat(context.getSessionMode()).isEqualTo(mode);
    assertThat(context.getTransacted()).isEqualTo(transacted);
    JMSContext second = jms.closing(jms.context().createContext(mode));
    assertThat(second.getSessionMode()).isEqualTo(mode);
  }

  @Test
  @Assertion(
      section = "API Connection",
      text =
          "Without arguments a session acknowledges automatically; transacted wins over the mode")
  void defaultModes(Jms jms) throws JMSException {
    Connection connection = jms.connection();
    Session session = connection.createSession();
    assertThat(session.getAcknowledgeMode()).isEqualTo(Session.AUTO_ACKNOWLEDGE);
    assertThat(session.getTransacted()).isFalse();
    Session transacted = connection.createSession(true, Session.AUTO_ACKNOWLEDGE);
    assertThat(transacted.getTransacted()).isTrue();
    assertThat(transacted.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
    assertThat(jms.context().getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4711})
  @Assertion(section = "API Connection", text = "A session mode that does not exist is refused")
  @KnownDeviation(provider = "artemis", why = "throws a JMSRuntimeException from the classic API")
  void unknownModes(int mode, Jms jms) throws JMSException {
    Connection connection = jms.connection();
    assertThrows(JMSException.class, () -> connection.createSession(mode));
    assertThrows(JMSException.class, () -> connection.createSession(false, mode));
    ConnectionFactory factory = jms.factory();
    assertThrows(JMSRuntimeException.class, () -> jms.closing(factory.createContext(mode)));
    JMSContext context = jms.context();
    assertThrows(JMSRuntimeException.class, () -> jms.closing(context.createContext(mode)));
  }

  @Test
  @Assertion(
      section = "API Connection",
      text = "A session that is not transacted cannot have the transacted mode")
  @KnownDeviation(provider = "artemis", why = "makes a session of mode 0 without transactions")
  void transactedModeWithoutTransaction(Jms jms) throws JMSException {
    Connection connection = jms.connection();
    assertThrows(
        JMSException.class, () -> connection.createSession(false, Session.SESSION_TRANSACTED));
  }

  @Test
  @Assertion(
      section = "10.3",
      text =
          "commit and rollback of a session without transactions throw IllegalStateException, recover of a transacted one too")
  void callsThatDoNotFitTheMode(Jms jms) throws JMSException {
    for (int mode :
        new int[] {
          Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE
        }) {
      Session session = jms.session(mode);
      assertThrows(jakarta.jms.IllegalStateException.class, session::commit);
      assertThrows(jakarta.jms.IllegalStateException.class, session::rollback);
      JMSContext context = jms.context(mode);
      assertThrows(jakarta.jms.IllegalStateRuntimeException.class, context::commit);
      assertThrows(jakarta.jms.IllegalStateRuntimeException.class, context::rollback);
    }
    Session transacted = jms.session(Session.SESSION_TRANSACTED);
    assertThrows(jakarta.jms.IllegalStateException.class, transacted::recover);
    JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
    assertThrows(jakarta.jms.IllegalStateRuntimeException.class, context::recover);
  }

  @Test
  @Assertion(
      section = "API Connection",
      text = "A connection keeps its ExceptionListener; null takes it away")
  void exceptionListener(Jms jms) throws JMSException {
    Connection connection = jms.connection();
    assertThat(connection.getExceptionListener()).isNull();
    jakarta.jms.ExceptionListener listener = e -> {};
    connection.setExceptionListener(listener);
    assertThat(connection.getExceptionListener()).isSameAs(listener);
    connection.setExceptionListener(null);
    assertThat(connection.getExceptionListener()).isNull();
    JMSContext context = jms.context();
    context.setExceptionListener(listener);
    assertThat(context.getExceptionListener()).isSameAs(listener);
  }
}
