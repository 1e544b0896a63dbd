package io.metaq.tck.facilities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Section 11.2: connection consumers and server sessions. */
@Conformance
class ConnectionConsumerTest {

  /** A pool of server sessions, each with its own thread while it runs. */
  private static final class Pool implements ServerSessionPool {
    private final BlockingQueue<ServerSession> free = new LinkedBlockingQueue<>();
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    Pool(Jms jms, Connection connection, int size, int mode) throws JMSException {
      for (int i = 0; i < size; i++) {
        Session session = connection.createSession(mode);
        session.setMessageListener(message -> take(session, message));
        free.add(
            new ServerSession() {
              @Override
              public Session getSession() {
                return session;
              }

              @Override
              public void start() {
                jms.async(
                    () -> {
                      session.run();
                      free.add(this);
                      return null;
                    });
              }
            });
      }
    }

    private void take(Session session, Message message) {
      try {
        received.add(Jms.textOf(message));
        if (session.getTransacted()) {
          session.commit();
        }
      } catch (JMSException e) {
        received.add(e.toString());
      }
    }

    @Override
    public ServerSession getServerSession() throws JMSException {
      try {
        return free.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (JMSException) new JMSException("interrupted").initCause(e);
      }
    }

    List<String> take(int count) throws InterruptedException {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        texts.add(received.poll(Jms.SOON, TimeUnit.MILLISECONDS));
      }
      return texts;
    }
  }

  @Test
  @Assertion(
      section = "11.2.4",
      text =
          "A connection consumer hands the messages of a queue to the sessions of its pool, each once")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void queues(Jms jms) throws Exception {
    for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED}) {
      Queue queue = jms.queue();
      Connection connection = jms.connection();
      Pool pool = new Pool(jms, connection, 2, mode);
      ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 3);
      assertThat(consumer.getServerSessionPool()).isSameAs(pool);
      connection.start();
      jms.send(queue, "a", "b", "c", "d", "e");
      assertThat(pool.take(5)).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
      consumer.close();
      consumer.close();
      connection.close();
      assertThat(jms.drain(queue)).isEmpty();
    }
  }

  @Test
  @Assertion(section = "11.2.4", text = "Its selector is honoured; the rest stays on the queue")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void selectors(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    Pool pool = new Pool(jms, connection, 1, Session.AUTO_ACKNOWLEDGE);
    connection.createConnectionConsumer(queue, "n = 1", pool, 1);
    jms.send(queue, "stays");
    Message match = jms.text("match");
    match.setIntProperty("n", 1);
    jms.send(queue, match);
    assertThat(pool.take(1)).containsExactly("match");
    assertThat(jms.drain(queue)).containsExactly("stays");
  }

  @Test
  @Assertion(
      section = "11.2.4",
      text = "The four kinds for topics: plain, durable, shared, shared durable")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void topics(Jms jms) throws Exception {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Connection connection = jms.started(jms.name("client"));
    Pool plain = new Pool(jms, connection, 1, Session.AUTO_ACKNOWLEDGE);
    Pool durable = new Pool(jms, connection, 1, Session.AUTO_ACKNOWLEDGE);
    Pool shared = new Pool(jms, connection, 1, Session.AUTO_ACKNOWLEDGE);
    Pool sharedDurable = new Pool(jms, connection, 1, Session.AUTO_ACKNOWLEDGE);
    List<ConnectionConsumer> consumers =
        List.of(
            connection.createConnectionConsumer(topic, null, plain, 1),
            connection.createDurableConnectionConsumer(topic, name, null, durable, 1),
            connection.createSharedConnectionConsumer(topic, name + "s", null, shared, 1),
            connection.createSharedDurableConnectionConsumer(
                topic, name + "sd", null, sharedDurable, 1));
    jms.send(topic, "m");
    for (Pool pool : List.of(plain, durable, shared, sharedDurable)) {
      assertThat(pool.take(1)).containsExactly("m");
    }
    for (ConnectionConsumer consumer : consumers) {
      consumer.close();
    }
    Session session = connection.createSession();
    session.unsubscribe(name);
    session.unsubscribe(name + "sd");
  }

  @Test
  @Assertion(section = "11.2.4", text = "QueueConnection and TopicConnection make them too")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void domainSpecific(Jms jms) throws Exception {
    Queue queue = jms.queue();
    QueueConnection queues = jms.queueConnection();
    Pool queuePool = new Pool(jms, queues, 1, Session.AUTO_ACKNOWLEDGE);
    queues.createConnectionConsumer(queue, null, queuePool, 1);
    queues.start();
    jms.send(queue, "q");
    assertThat(queuePool.take(1)).containsExactly("q");
    Topic topic = jms.topic();
    TopicConnection topics = jms.topicConnection();
    Pool topicPool = new Pool(jms, topics, 1, Session.AUTO_ACKNOWLEDGE);
    topics.createConnectionConsumer(topic, null, topicPool, 1);
    topics.start();
    jms.send(topic, "t");
    assertThat(topicPool.take(1)).containsExactly("t");
  }

  @Test
  @Assertion(
      section = "API Connection",
      text = "A null or wrong destination and a wrong selector are refused")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void wrongArguments(Jms jms) throws JMSException {
    Connection connection = jms.started(jms.name("client"));
    Pool pool = new Pool(jms, connection, 1, Session.AUTO_ACKNOWLEDGE);
    assertThrows(
        InvalidDestinationException.class,
        () -> connection.createConnectionConsumer(null, null, pool, 1));
    assertThrows(
        InvalidDestinationException.class,
        () -> connection.createDurableConnectionConsumer(null, "s", null, pool, 1));
    assertThrows(
        InvalidSelectorException.class,
        () -> connection.createConnectionConsumer(jms.queue(), "a =", pool, 1));
  }

  @Test
  @Assertion(section = "11.2.1", text = "A session keeps its MessageListener")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void sessionListener(Jms jms) throws JMSException {
    Session session = jms.connection().createSession();
    assertThat(session.getMessageListener()).isNull();
    MessageListener listener = m -> {};
    session.setMessageListener(listener);
    assertThat(session.getMessageListener()).isSameAs(listener);
  }
}
