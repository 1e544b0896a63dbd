package io.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.ra.support.TestBroker;
import io.metaq.ra.support.TestXid;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnectionFactory;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ManagedConnection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagedConnectionTest {
  @TempDir Path directory;

  private TestBroker broker;
  private MetaqGenericManagedConnectionFactory factory;
  private MetaqManagedConnection managed;
  private final String queueName = "q-" + UUID.randomUUID();

  @BeforeEach
  void connect() throws Exception {
    broker = new TestBroker(directory);
    factory = new MetaqGenericManagedConnectionFactory();
    factory.setServerUrl(broker.url());
    managed = (MetaqManagedConnection) factory.createManagedConnection(null, null);
  }

  @AfterEach
  void end() {
    managed.destroy();
    broker.close();
  }

  private Connection handle() throws ResourceException {
    return (Connection) managed.getConnection(null, null);
  }

  private static final class Events implements ConnectionEventListener {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void connectionClosed(ConnectionEvent event) {
      seen.add("closed");
    }

    @Override
    public void localTransactionStarted(ConnectionEvent event) {
      seen.add("local started");
    }

    @Override
    public void localTransactionCommitted(ConnectionEvent event) {
      seen.add("local committed");
    }

    @Override
    public void localTransactionRolledback(ConnectionEvent event) {
      seen.add("local rolled back");
    }

    @Override
    public void connectionErrorOccurred(ConnectionEvent event) {
      seen.add("error");
    }
  }

  private void send(Session session, String text) throws JMSException {
    session.createProducer(session.createQueue(queueName)).send(session.createTextMessage(text));
  }

  @Test
  void theSameSessionHandleSendsAutomaticallyInABranchAndInALocalTransaction() throws Exception {
    Events events = new Events();
    managed.addConnectionEventListener(events);
    Session session = handle().createSession(true, Session.SESSION_TRANSACTED);
    XAResource resource = managed.getXAResource();

    send(session, "automatic");
    TestXid xid = new TestXid();
    resource.start(xid, XAResource.TMNOFLAGS);
    assertThat(session.getTransacted()).isTrue();
    send(session, "branch rolled back");
    resource.end(xid, XAResource.TMSUCCESS);
    resource.rollback(xid);
    xid = new TestXid();
    resource.start(xid, XAResource.TMNOFLAGS);
    send(session, "branch");
    resource.end(xid, XAResource.TMSUCCESS);
    resource.prepare(xid);
    resource.commit(xid, false);
    managed.getLocalTransaction().begin();
    send(session, "local");
    managed.getLocalTransaction().commit();
    managed.getLocalTransaction().begin();
    send(session, "local rolled back");
    managed.getLocalTransaction().rollback();

    assertThat(broker.receive(queueName)).isEqualTo("automatic");
    assertThat(broker.receive(queueName)).isEqualTo("branch");
    assertThat(broker.receive(queueName)).isEqualTo("local");
    assertThat(broker.receive(queueName)).isNull();
    assertThat(events.seen).isEmpty();
  }

  @Test
  void aMessageReceivedInABranchThatIsRolledBackComesAgain() throws Exception {
    broker.send(queueName, "again");
    Connection connection = handle();
    connection.start();
    Session session = connection.createSession();
    MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
    XAResource resource = managed.getXAResource();
    TestXid xid = new TestXid();

    resource.start(xid, XAResource.TMNOFLAGS);
    assertThat(consumer.receive(5_000)).isNotNull();
    resource.end(xid, XAResource.TMFAIL);
    resource.rollback(xid);

    TextMessage message = (TextMessage) consumer.receive(5_000);
    assertThat(message.getText()).isEqualTo("again");
    assertThat(message.getJMSRedelivered()).isTrue();
    connection.close();
    managed.cleanup();
    assertThat(broker.receive(queueName)).isNull();
  }

  @Test
  void outsideOfATransactionEverySessionModeAcknowledgesByItself() throws Exception {
    assertThat(handle().createSession(true, 0).getAcknowledgeMode())
        .isEqualTo(Session.AUTO_ACKNOWLEDGE);
    assertThat(handle().createSession(Session.CLIENT_ACKNOWLEDGE).getAcknowledgeMode())
        .isEqualTo(Session.AUTO_ACKNOWLEDGE);
    assertThat(handle().createSession(Session.DUPS_OK_ACKNOWLEDGE).getAcknowledgeMode())
        .isEqualTo(Session.DUPS_OK_ACKNOWLEDGE);
    assertThatThrownBy(() -> handle().createSession(99)).isInstanceOf(JMSException.class);
  }

  @Test
  void aConnectionHasOneSessionAtATime() throws Exception {
    Connection connection = handle();
    Session first = connection.createSession();

    assertThatThrownBy(connection::createSession).isInstanceOf(JMSException.class);
    first.close();
    assertThat(connection.createSession()).isNotNull();
  }

  @Test
  void aContextMakesNoFurtherContext() throws Exception {
    try (JMSContext context =
        ((RaConnectionFactory) factory.createConnectionFactory()).createContext()) {
      assertThatThrownBy(() -> context.createContext(JMSContext.AUTO_ACKNOWLEDGE))
          .isInstanceOf(JMSRuntimeException.class);
    }
  }

  @Test
  void theMethodsThatComponentsMustNotUseThrow() throws Exception {
    Connection connection = handle();
    Session session = connection.createSession();
    Queue queue = session.createQueue(queueName);
    MessageProducer producer = session.createProducer(queue);
    MessageConsumer consumer = session.createConsumer(queue);

    assertThatThrownBy(() -> connection.setClientID("x"))
        .isInstanceOf(jakarta.jms.IllegalStateException.class);
    assertThatThrownBy(() -> connection.setExceptionListener(null))
        .isInstanceOf(JMSException.class);
    assertThatThrownBy(connection::stop).isInstanceOf(JMSException.class);
    assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, null, 1))
        .isInstanceOf(JMSException.class);
    assertThatThrownBy(() -> session.setMessageListener(null)).isInstanceOf(JMSException.class);
    assertThatThrownBy(() -> consumer.setMessageListener(null)).isInstanceOf(JMSException.class);
    assertThatThrownBy(session::commit).isInstanceOf(JMSException.class);
    assertThatThrownBy(session::rollback).isInstanceOf(JMSException.class);
    assertThatThrownBy(session::recover).isInstanceOf(JMSException.class);
    assertThatThrownBy(
            () -> producer.send(session.createMessage(), (jakarta.jms.CompletionListener) null))
        .isInstanceOf(JMSException.class);
  }

  @Test
  void theSimplifiedApiSendsAndReceivesWithoutCallbacks() throws Exception {
    try (JMSContext context =
        ((RaConnectionFactory) factory.createConnectionFactory()).createContext()) {
      Queue queue = context.createQueue(queueName);
      JMSProducer producer = context.createProducer().setProperty("colour", "red").setPriority(7);
      producer.send(queue, "one").send(queue, new byte[] {1});
      JMSConsumer consumer = context.createConsumer(queue, "colour = 'red'");

      assertThat(consumer.receiveBody(String.class, 5_000)).isEqualTo("one");
      assertThat(consumer.receive(5_000).getJMSPriority()).isEqualTo(7);
      assertThatThrownBy(() -> producer.setAsync(null)).isInstanceOf(JMSRuntimeException.class);
      assertThatThrownBy(() -> consumer.setMessageListener(null))
          .isInstanceOf(JMSRuntimeException.class);
      assertThatThrownBy(context::stop).isInstanceOf(JMSRuntimeException.class);
    }
  }

  @Test
  void cleanupMakesTheConnectionAsNewAndCanBeRepeated() throws Exception {
    Connection connection = handle();
    connection.start();
    Session session = connection.createSession();
    TemporaryQueue temporary = session.createTemporaryQueue();
    managed.getLocalTransaction().begin();
    send(session, "left open");

    managed.cleanup();
    managed.cleanup();

    assertThatThrownBy(connection::createSession)
        .isInstanceOf(jakarta.jms.IllegalStateException.class);
    assertThatThrownBy(session::createMessage)
        .isInstanceOf(jakarta.jms.IllegalStateException.class);
    assertThat(broker.receive(queueName)).isNull();
    try (JMSContext client = broker.client()) {
      assertThatThrownBy(() -> client.createProducer().send(temporary, "too late"))
          .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
    }
    broker.send(queueName, "for the next user");
    Session next = handle().createSession();
    assertThat(next.createConsumer(next.createQueue(queueName)).receive(300))
        .as("not started by its former user")
        .isNull();
  }

  @Test
  void closingAHandleTellsTheContainerAndAltersNothingElse() throws Exception {
    Events events = new Events();
    managed.addConnectionEventListener(events);
    Connection closed = handle();
    Connection other = handle();
    Session session = other.createSession();

    closed.close();
    closed.close();
    send(session, "still here");

    assertThat(events.seen).containsExactly("closed");
    assertThat(broker.receive(queueName)).isEqualTo("still here");
  }

  @Test
  void aHandleMovesToAnotherConnectionWithItsProducersAndTheirSettings() throws Exception {
    Connection connection = handle();
    Session session = connection.createSession();
    MessageProducer producer = session.createProducer(session.createQueue(queueName));
    producer.setPriority(8);
    ManagedConnection second = factory.createManagedConnection(null, null);
    try {
      second.associateConnection(connection);
      managed.destroy();

      producer.send(session.createTextMessage("moved"));

      try (JMSContext client = broker.client()) {
        assertThat(
                client
                    .createConsumer(client.createQueue(queueName))
                    .receive(5_000)
                    .getJMSPriority())
            .isEqualTo(8);
      }
      Events events = new Events();
      second.addConnectionEventListener(events);
      connection.close();
      assertThat(events.seen).containsExactly("closed");
    } finally {
      second.destroy();
    }
  }

  @Test
  void aBreakIsReportedOnceAndBeforeTheApplicationHearsOfIt() throws Exception {
    Events events = new Events();
    managed.addConnectionEventListener(events);
    Session session = handle().createSession();
    send(session, "works");

    broker.kill();

    assertThatThrownBy(
            () -> {
              send(session, "is lost");
            })
        .isInstanceOf(JMSException.class)
        .satisfies(thrown -> assertThat(events.seen).containsExactly("error"));
    await().during(Duration.ofMillis(300)).untilAsserted(() -> assertThat(events.seen).hasSize(1));
    assertThat((Set<?>) factory.getInvalidConnections(Set.of(managed))).hasSize(1);
    assertThat(factory.matchManagedConnections(Set.of(managed), null, null)).isNull();
    assertThatThrownBy(() -> managed.getConnection(null, null))
        .isInstanceOf(ResourceException.class);
    managed.cleanup();
    broker.startAgain();
    assertThatThrownBy(() -> send(session, "never again on this one"))
        .isInstanceOf(JMSException.class);
  }

  @Test
  void aContainersRecoveryCanAskAHandleWhetherItIsValid() throws Exception {
    Connection connection = handle();
    Method isValid = connection.getClass().getMethod("isValid", int.class);

    assertThat(isValid.invoke(connection, 5)).isEqualTo(true);
    connection.close();
    assertThat(isValid.invoke(connection, 5)).isEqualTo(false);
  }

  @Test
  void matchingComparesTheUserThatIsAskedFor() throws Exception {
    assertThat(factory.matchManagedConnections(Set.of(managed), null, Credentials.NONE))
        .isSameAs(managed);
    assertThat(
            factory.matchManagedConnections(
                Set.of(managed), null, new Credentials("jane", "secret")))
        .isNull();
    assertThat((Set<?>) factory.getInvalidConnections(Set.of(managed))).isEmpty();
  }

  @Test
  void factoriesAreEqualByConfigurationAndSurviveSerialization() throws Exception {
    MetaqGenericManagedConnectionFactory same = new MetaqGenericManagedConnectionFactory();
    same.setServerUrl(broker.url());
    assertThat(same).isEqualTo(factory).hasSameHashCodeAs(factory);
    same.setUserName("jane");
    assertThat(same).isNotEqualTo(factory);
    assertThat(new MetaqQueueManagedConnectionFactory())
        .isNotEqualTo(new MetaqTopicManagedConnectionFactory());

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(factory.createConnectionFactory());
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      RaConnectionFactory copy = (RaConnectionFactory) in.readObject();
      assertThat(copy)
          .isInstanceOf(QueueConnectionFactory.class)
          .isInstanceOf(TopicConnectionFactory.class);
      try (JMSContext context = copy.createContext()) {
        context.createProducer().send(context.createQueue(queueName), "from the copy");
      }
    }
    assertThat(broker.receive(queueName)).isEqualTo("from the copy");
  }
}
