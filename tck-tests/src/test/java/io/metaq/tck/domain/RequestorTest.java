package io.metaq.tck.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;

/** Sections 4.1.7 and 4.2.10: the requestors of the domain-specific interfaces. */
@Conformance
class RequestorTest {

  @Test
  @Assertion(
      section = "4.1.7",
      text = "QueueRequestor.request sends the request and returns its reply")
  void queueRequest(Jms jms) throws Exception {
    Queue queue = jms.queue();
    answer(jms, queue);
    QueueConnection connection = jms.queueConnection();
    connection.start();
    QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
    QueueRequestor requestor = new QueueRequestor(session, queue);
    for (int i = 0; i < 3; i++) {
      TextMessage reply = (TextMessage) requestor.request(session.createTextMessage("q" + i));
      assertThat(reply.getText()).isEqualTo("re: q" + i);
    }
    requestor.close();
    assertThrows(jakarta.jms.IllegalStateException.class, session::createTextMessage);
  }

  @Test
  @Assertion(
      section = "4.2.10",
      text = "TopicRequestor.request publishes the request and returns its reply")
  void topicRequest(Jms jms) throws Exception {
    Topic topic = jms.topic();
    answer(jms, topic);
    TopicConnection connection = jms.topicConnection();
    connection.start();
    TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
    TopicRequestor requestor = new TopicRequestor(session, topic);
    TextMessage reply = (TextMessage) requestor.request(session.createTextMessage("q"));
    assertThat(reply.getText()).isEqualTo("re: q");
    requestor.close();
    assertThrows(jakarta.jms.IllegalStateException.class, session::createTextMessage);
  }

  @Test
  @Assertion(
      section = "API QueueRequestor",
      text = "A null destination is an InvalidDestinationException")
  void nullDestination(Jms jms) throws JMSException {
    QueueSession queues = jms.queueSession();
    assertThrows(InvalidDestinationException.class, () -> new QueueRequestor(queues, null));
    TopicSession topics = jms.topicSession();
    assertThrows(InvalidDestinationException.class, () -> new TopicRequestor(topics, null));
  }

  private static void answer(Jms jms, jakarta.jms.Destination requests) throws JMSException {
    Session server = jms.session();
    server.createConsumer(requests).setMessageListener(request -> reply(server, request));
  }

  private static void reply(Session server, Message request) {
    try {
      server
          .createProducer(null)
          .send(
              request.getJMSReplyTo(),
              server.createTextMessage("re: " + ((TextMessage) request).getText()));
    } catch (JMSException e) {
      throw new AssertionError("cannot reply", e);
    }
  }
}
