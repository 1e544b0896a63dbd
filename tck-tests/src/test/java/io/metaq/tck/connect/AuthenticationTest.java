package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.BrokerMode;
import io.metaq.tck.harness.ClientOptions;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import org.junit.jupiter.api.Test;

/** Section 6.1.1: credentials. */
@Conformance
class AuthenticationTest {

  @Test
  @Assertion(section = "6.1.1", text = "The right user and password make a connection that works")
  void rightCredentials(Jms jms) throws JMSException {
    ConnectionFactory factory = jms.in(BrokerMode.SECURED).factory();
    Connection connection =
        jms.closing(factory.createConnection(BrokerMode.USER, BrokerMode.PASSWORD));
    connection.start();
    Session session = connection.createSession();
    Queue queue = session.createQueue(jms.name("q"));
    session.createProducer(queue).send(session.createTextMessage("m"));
    assertThat(Jms.receiveText(session.createConsumer(queue))).isEqualTo("m");
    JMSContext context = jms.closing(factory.createContext(BrokerMode.USER, BrokerMode.PASSWORD));
    assertThat(context.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
    JMSContext transacted =
        jms.closing(
            factory.createContext(
                BrokerMode.USER, BrokerMode.PASSWORD, JMSContext.SESSION_TRANSACTED));
    assertThat(transacted.getTransacted()).isTrue();
  }

  @Test
  @Assertion(section = "10.3", text = "A wrong password or user is a JMSSecurityException")
  void wrongCredentials(Jms jms) throws JMSException {
    ConnectionFactory factory = jms.in(BrokerMode.SECURED).factory();
    String user = BrokerMode.USER;
    assertThrows(
        JMSSecurityException.class, () -> jms.closing(factory.createConnection(user, "wrong")));
    assertThrows(
        JMSSecurityException.class,
        () -> jms.closing(factory.createConnection("nobody", BrokerMode.PASSWORD)));
    assertThrows(
        JMSSecurityRuntimeException.class, () -> jms.closing(factory.createContext(user, "wrong")));
    assertThrows(
        JMSSecurityRuntimeException.class,
        () -> jms.closing(factory.createContext(user, "wrong", JMSContext.CLIENT_ACKNOWLEDGE)));
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "The domain-specific and XA factories refuse wrong credentials too")
  void wrongCredentialsInEveryFactory(Jms jms) throws JMSException {
    jms.in(BrokerMode.SECURED);
    QueueConnectionFactory queues = jms.broker().queueConnectionFactory(ClientOptions.plain());
    TopicConnectionFactory topics = jms.broker().topicConnectionFactory(ClientOptions.plain());
    XAConnectionFactory xa = jms.broker().xaConnectionFactory(ClientOptions.plain());
    String user = BrokerMode.USER;
    assertThrows(
        JMSSecurityException.class, () -> jms.closing(queues.createQueueConnection(user, "wrong")));
    assertThrows(
        JMSSecurityException.class, () -> jms.closing(topics.createTopicConnection(user, "wrong")));
    assertThrows(
        JMSSecurityException.class, () -> jms.closing(xa.createXAConnection(user, "wrong")));
    assertThrows(
        JMSSecurityRuntimeException.class, () -> jms.closing(xa.createXAContext(user, "wrong")));
    jms.closing(queues.createQueueConnection(user, BrokerMode.PASSWORD)).start();
    jms.closing(topics.createTopicConnection(user, BrokerMode.PASSWORD)).start();
    jms.closing(xa.createXAConnection(user, BrokerMode.PASSWORD)).start();
  }

  @Test
  @Assertion(
      section = "6.1.1",
      text = "Without any credentials a secured broker refuses with JMSSecurityException")
  void noCredentials(Jms jms) throws JMSException {
    ConnectionFactory factory = jms.in(BrokerMode.SECURED).factory();
    assertThrows(JMSSecurityException.class, () -> jms.closing(factory.createConnection()));
    assertThrows(JMSSecurityRuntimeException.class, () -> jms.closing(factory.createContext()));
  }

  @Test
  @Assertion(
      section = "6.1.1",
      text = "Credentials held by the factory serve the methods without arguments")
  void heldCredentials(Jms jms) throws JMSException {
    jms.in(BrokerMode.SECURED);
    ClientOptions held =
        ClientOptions.plain().withCredentials(BrokerMode.USER, BrokerMode.PASSWORD);
    jms.closing(jms.factory(held).createConnection()).start();
    jms.closing(jms.factory(held).createContext()).start();
    jms.closing(jms.broker().queueConnectionFactory(held).createQueueConnection()).start();
    jms.closing(jms.broker().topicConnectionFactory(held).createTopicConnection()).start();
    jms.closing(jms.broker().xaConnectionFactory(held).createXAConnection()).start();
  }

  @Test
  @Assertion(
      section = "6.1.1",
      text = "Credentials given to the method win over those the factory holds")
  void givenCredentialsWin(Jms jms) throws JMSException {
    jms.in(BrokerMode.SECURED);
    ConnectionFactory held =
        jms.factory(ClientOptions.plain().withCredentials(BrokerMode.USER, BrokerMode.PASSWORD));
    assertThrows(
        JMSSecurityException.class,
        () -> jms.closing(held.createConnection(BrokerMode.USER, "wrong")));
    ConnectionFactory wrong =
        jms.factory(ClientOptions.plain().withCredentials(BrokerMode.USER, "wrong"));
    jms.closing(wrong.createConnection(BrokerMode.USER, BrokerMode.PASSWORD)).start();
  }
}
