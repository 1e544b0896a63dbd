package io.metaq.tck.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.ClientOptions;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.spi.ObjectFactory;
import org.junit.jupiter.api.Test;

/** Chapter 5: administered objects. */
@Conformance
class AdministeredObjectTest {

  @Test
  @Assertion(
      section = "5.1",
      text = "Factories and destinations are Serializable and work when read back")
  void serializable(Jms jms) throws Exception {
    ConnectionFactory factory = copy(jms.factory());
    Queue queue = jms.queue();
    assertThat(copy(queue)).isEqualTo(queue);
    Topic topic = jms.topic();
    assertThat(copy(topic)).isEqualTo(topic);
    Connection connection = jms.closing(factory.createConnection());
    connection.start();
    Session session = connection.createSession();
    session.createProducer(copy(queue)).send(session.createTextMessage("m"));
    assertThat(Jms.receiveText(session.createConsumer(queue))).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "5.1",
      text = "Factories and destinations are Referenceable; their reference leads back to them")
  void referenceable(Jms jms) throws Exception {
    assertThat(dereference(jms.factory())).isInstanceOf(ConnectionFactory.class);
    Queue queue = jms.queue();
    assertThat(dereference(queue)).isEqualTo(queue);
    Topic topic = jms.topic();
    assertThat(dereference(topic)).isEqualTo(topic);
    ConnectionFactory factory = (ConnectionFactory) dereference(jms.factory());
    jms.closing(factory.createConnection()).start();
  }

  @Test
  @Assertion(section = "5.1", text = "A factory read back keeps its client identifier")
  void aCopyKeepsItsConfiguration(Jms jms) throws Exception {
    String id = jms.name("client");
    ConnectionFactory factory = copy(jms.factory(ClientOptions.plain().withClientId(id)));
    assertThat(jms.closing(factory.createConnection()).getClientID()).isEqualTo(id);
  }

  @Test
  @Assertion(section = "5.3", text = "A factory supports concurrent use")
  void concurrentUse(Jms jms) throws Exception {
    ConnectionFactory factory = jms.factory();
    Queue queue = jms.queue();
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String text = "m" + i;
      all.add(
          jms.async(
              () -> {
                try (Connection connection = factory.createConnection()) {
                  Session session = connection.createSession();
                  session.createProducer(queue).send(session.createTextMessage(text));
                }
                return text;
              }));
    }
    for (CompletableFuture<String> one : all) {
      one.get();
    }
    assertThat(jms.drain(queue)).containsExactlyInAnyOrder("m0", "m1", "m2", "m3");
  }

  @Test
  @Assertion(
      section = "5.2",
      text = "A queue and a topic of one name are not equal; destinations compare kind and name")
  void equality(Jms jms) throws JMSException {
    Session session = jms.session();
    String name = jms.name("same");
    Queue queue = session.createQueue(name);
    Topic topic = session.createTopic(name);
    assertThat(queue).isNotEqualTo(topic).isEqualTo(jms.context().createQueue(name));
    assertThat(topic)
        .isNotEqualTo(queue)
        .isEqualTo(jms.context().createTopic(name))
        .isNotEqualTo(session.createTopic(name + "x"));
    assertThat(topic.hashCode()).isEqualTo(session.createTopic(name).hashCode());
  }

  @Test
  @Assertion(section = "5.1", text = "A held password shows in no text of the factory")
  void passwordsDoNotShow(Jms jms) throws JMSException {
    ConnectionFactory factory =
        jms.factory(ClientOptions.plain().withCredentials("alice", "s3cret-word"));
    assertThat(factory.toString()).doesNotContain("s3cret-word");
  }

  @SuppressWarnings("unchecked")
  private static <T> T copy(T object) throws Exception {
    assertThat(object).isInstanceOf(Serializable.class);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }

  private static Object dereference(Object object) throws Exception {
    assertThat(object).isInstanceOf(Referenceable.class);
    Reference reference = ((Referenceable) object).getReference();
    ObjectFactory factory =
        (ObjectFactory)
            Class.forName(reference.getFactoryClassName()).getDeclaredConstructor().newInstance();
    return factory.getObjectInstance(reference, null, null, null);
  }
}
