package io.metaq.tck.facilities;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sections 6.1.8 and 6.2.15: every method of every closed object is refused. The methods are taken
 * from the interfaces themselves, so that none is left out.
 */
@Conformance
class ClosedObjectTest {

  private static final String ILLEGAL = "IllegalStateException";
  private static final String ILLEGAL_AT_RUN_TIME = "IllegalStateRuntimeException";

  /** Closing is allowed again; the others touch the object's own memory only. */
  private static final Set<String> ALLOWED =
      Set.of("close", "run", "getXAResource", "getSession", "getQueueSession", "getTopicSession");

  /** An object that is closed, directly or through what it belongs to. */
  enum Closed {
    CONNECTION(Connection.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        Connection connection = jms.started();
        connection.close();
        return connection;
      }
    },
    QUEUE_CONNECTION(QueueConnection.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        QueueConnection connection = jms.queueConnection();
        connection.close();
        return connection;
      }
    },
    TOPIC_CONNECTION(TopicConnection.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        TopicConnection connection = jms.topicConnection();
        connection.close();
        return connection;
      }
    },
    XA_CONNECTION(XAConnection.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        XAConnection connection = jms.xaConnection();
        connection.close();
        return connection;
      }
    },
    SESSION(Session.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        Session session = jms.session();
        session.close();
        return session;
      }
    },
    SESSION_OF_CLOSED_CONNECTION(Session.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        Connection connection = jms.started();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        connection.close();
        return session;
      }
    },
    QUEUE_SESSION(QueueSession.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        QueueSession session = jms.queueSession();
        session.close();
        return session;
      }
    },
    TOPIC_SESSION(TopicSession.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        TopicSession session = jms.topicSession();
        session.close();
        return session;
      }
    },
    XA_SESSION(XASession.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        XASession session = jms.xaConnection().createXASession();
        session.close();
        return session;
      }
    },
    PRODUCER(MessageProducer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        producer.close();
        return producer;
      }
    },
    PRODUCER_OF_CLOSED_SESSION(MessageProducer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        session.close();
        return producer;
      }
    },
    QUEUE_SENDER(QueueSender.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        QueueSender sender = jms.queueSession().createSender(jms.queue());
        sender.close();
        return sender;
      }
    },
    TOPIC_PUBLISHER(TopicPublisher.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        TopicPublisher publisher = jms.topicSession().createPublisher(jms.topic());
        publisher.close();
        return publisher;
      }
    },
    CONSUMER(MessageConsumer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        consumer.close();
        return consumer;
      }
    },
    CONSUMER_OF_CLOSED_CONNECTION(MessageConsumer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        Connection connection = jms.started();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        connection.close();
        return consumer;
      }
    },
    QUEUE_RECEIVER(QueueReceiver.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        QueueReceiver receiver = jms.queueSession().createReceiver(jms.queue());
        receiver.close();
        return receiver;
      }
    },
    TOPIC_SUBSCRIBER(TopicSubscriber.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        TopicSubscriber subscriber = jms.topicSession().createSubscriber(jms.topic());
        subscriber.close();
        return subscriber;
      }
    },
    BROWSER_OF_CLOSED_SESSION(QueueBrowser.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        Session session = jms.session();
        QueueBrowser browser = session.createBrowser(jms.queue());
        session.close();
        return browser;
      }
    },
    CONTEXT(JMSContext.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        context.close();
        return context;
      }
    },
    JMS_CONSUMER(JMSConsumer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        consumer.close();
        return consumer;
      }
    },
    JMS_CONSUMER_OF_CLOSED_CONTEXT(JMSConsumer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        context.close();
        return consumer;
      }
    },
    JMS_PRODUCER_OF_CLOSED_CONTEXT(JMSProducer.class) {
      @Override
      Object make(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        JMSProducer producer = context.createProducer();
        context.close();
        return producer;
      }
    };

    final Class<?> type;

    Closed(Class<?> type) {
      this.type = type;
    }

    abstract Object make(Jms jms) throws JMSException;

    /** A JMSProducer is memory only, but for its sends. */
    boolean covers(Method method) {
      return !ALLOWED.contains(method.getName())
          && (type != JMSProducer.class || method.getName().equals("send"));
    }

    boolean unchecked() {
      return type == JMSContext.class || type == JMSConsumer.class || type == JMSProducer.class;
    }
  }

  static Stream<Arguments> methods() {
    List<Arguments> all = new ArrayList<>();
    for (Closed closed : Closed.values()) {
      Arrays.stream(closed.type.getMethods())
          .filter(closed::covers)
          .map(ClosedObjectTest::signature)
          .distinct()
          .sorted()
          .forEach(signature -> all.add(Arguments.of(closed, signature)));
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("methods")
  @Assertion(
      section = "6.1.8",
      text =
          "Every method of every closed object, but close, throws IllegalStateException or IllegalStateRuntimeException")
  @KnownDeviation(
      provider = "artemis",
      cases =
          ".*(createShared(Durable)?ConnectionConsumer\\(Topic, String, String, ServerSessionPool, int\\)|DeliveryDelay\\(.*\\)|XA_SESSION (commit|rollback)\\(\\)|(Queue|Topic), Message, int, int, long\\)|BROWSER_OF_CLOSED_SESSION get(MessageSelector|Queue)\\(\\)|CONTEXT (createContext\\(int\\)|[gs]etAutoStart\\(.*\\)|getSessionMode\\(\\)))",
      why = "does not notice the close")
  void everyMethodIsRefused(Closed closed, String signature, Jms jms) throws Exception {
    Method method =
        Arrays.stream(closed.type.getMethods())
            .filter(m -> signature(m).equals(signature))
            .findFirst()
            .orElseThrow();
    Object[] arguments = arguments(method, jms);
    Object object = closed.make(jms);
    assertThat(outcome(method, object, arguments))
        .isEqualTo(closed.unchecked() ? ILLEGAL_AT_RUN_TIME : ILLEGAL);
  }

  private static String outcome(Method method, Object object, Object[] arguments)
      throws IllegalAccessException {
    try {
      Object result = method.invoke(object, arguments);
      return "returned " + result;
    } catch (InvocationTargetException e) {
      return e.getCause().getClass().getSimpleName();
    }
  }

  private static String signature(Method method) {
    StringBuilder text = new StringBuilder(method.getName()).append('(');
    for (Class<?> type : method.getParameterTypes()) {
      text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ").append(type.getSimpleName());
    }
    return text.append(')').toString();
  }

  /** Arguments that would do if the object were open. */
  private static Object[] arguments(Method method, Jms jms) throws JMSException {
    Map<Class<?>, Object> values = new HashMap<>();
    values.put(String.class, method.getName().contains("Selector") ? "a = 1" : "text");
    values.put(int.class, 1);
    values.put(long.class, 1L);
    values.put(boolean.class, false);
    values.put(Class.class, String.class);
    values.put(Serializable.class, "object");
    values.put(Map.class, Map.of("a", 1));
    values.put(byte[].class, new byte[] {1});
    values.put(Queue.class, jms.queue());
    values.put(Topic.class, jms.topic());
    values.put(Destination.class, jms.queue());
    values.put(Message.class, jms.text("m"));
    values.put(MessageListener.class, (MessageListener) m -> {});
    values.put(ExceptionListener.class, (ExceptionListener) e -> {});
    values.put(ServerSessionPool.class, (ServerSessionPool) () -> null);
    values.put(
        CompletionListener.class,
        new CompletionListener() {
          @Override
          public void onCompletion(Message message) {}

          @Override
          public void onException(Message message, Exception exception) {}
        });
    return Arrays.stream(method.getParameterTypes()).map(type -> value(values, type)).toArray();
  }

  private static Object value(Map<Class<?>, Object> values, Class<?> type) {
    Object value = values.get(type);
    if (value == null) {
      throw new AssertionError("no argument of type " + type);
    }
    return value;
  }
}
