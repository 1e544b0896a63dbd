package io.metaq.tck.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 7.3: asynchronous sends. */
@Conformance
class AsyncSendTest {

  /** Keeps what it is told. */
  private static final class Recorder implements CompletionListener {
    final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

    @Override
    public void onCompletion(Message message) {
      threads.add(Thread.currentThread());
      try {
        outcomes.add(Jms.textOf(message) + " " + message.getJMSMessageID().substring(0, 3));
      } catch (JMSException e) {
        outcomes.add(e.toString());
      }
    }

    @Override
    public void onException(Message message, Exception exception) {
      threads.add(Thread.currentThread());
      outcomes.add("failed: " + exception);
    }

    String next() throws InterruptedException {
      return outcomes.poll(Jms.SOON, TimeUnit.MILLISECONDS);
    }
  }

  /** A session and a delivery mode. */
  enum Sending {
    PERSISTENT(false, DeliveryMode.PERSISTENT),
    NON_PERSISTENT(false, DeliveryMode.NON_PERSISTENT),
    TRANSACTED(true, DeliveryMode.PERSISTENT);

    final boolean transacted;
    final int mode;

    Sending(boolean transacted, int mode) {
      this.transacted = transacted;
      this.mode = mode;
    }

    Session session(Jms jms) throws JMSException {
      return jms.session(transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "7.3",
      text =
          "Every method of asynchronous send completes and delivers, in any mode, with the headers set")
  void everySendCompletes(Sending sending, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = sending.session(jms);
    Recorder recorder = new Recorder();
    MessageProducer bound = session.createProducer(queue);
    bound.setDeliveryMode(sending.mode);
    MessageProducer unbound = session.createProducer(null);
    unbound.setDeliveryMode(sending.mode);
    bound.send(session.createTextMessage("a"), recorder);
    bound.send(session.createTextMessage("b"), sending.mode, 4, 0, recorder);
    unbound.send(queue, session.createTextMessage("c"), recorder);
    unbound.send(queue, session.createTextMessage("d"), sending.mode, 4, 0, recorder);
    for (String text : List.of("a", "b", "c", "d")) {
      assertThat(recorder.next()).isEqualTo(text + " ID:");
    }
    if (sending.transacted) {
      assertThat(jms.drain(queue)).isEmpty();
      session.commit();
    }
    assertThat(jms.drain(queue)).containsExactly("a", "b", "c", "d");
  }

  @Test
  @Assertion(section = "7.3.8", text = "The listener is never called by the thread that sends")
  void theSendingThreadIsNeverUsed(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    Recorder recorder = new Recorder();
    for (int i = 0; i < 50; i++) {
      producer.send(session.createTextMessage("m"), recorder);
    }
    for (int i = 0; i < 50; i++) {
      assertThat(recorder.threads.poll(Jms.SOON, TimeUnit.MILLISECONDS))
          .isNotNull()
          .isNotSameAs(Thread.currentThread());
    }
  }

  @Test
  @Assertion(
      section = "7.3.8",
      text = "Callbacks of a session run one at a time and in the order of the sends")
  void callbacksAreSerialAndInOrder(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer first = session.createProducer(queue);
    MessageProducer second = session.createProducer(null);
    AtomicInteger running = new AtomicInteger();
    BlockingQueue<String> order = new LinkedBlockingQueue<>();
    CompletionListener listener =
        new CompletionListener() {
          @Override
          public void onCompletion(Message message) {
            int now = running.incrementAndGet();
            Thread.yield();
            try {
              order.add(now + Jms.textOf(message));
            } catch (JMSException e) {
              order.add(e.toString());
            }
            running.decrementAndGet();
          }

          @Override
          public void onException(Message message, Exception exception) {
            order.add(exception.toString());
          }
        };
    for (int i = 0; i < 100; i++) {
      if (i % 2 == 0) {
        first.send(session.createTextMessage("m" + i), listener);
      } else {
        second.send(queue, session.createTextMessage("m" + i), listener);
      }
    }
    for (int i = 0; i < 100; i++) {
      assertThat(order.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("1m" + i);
    }
  }

  @Test
  @Assertion(section = "7.3.3", text = "Order holds over synchronous and asynchronous sends mixed")
  void orderOverBothKinds(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    Recorder recorder = new Recorder();
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      sent.add("m" + i);
      if (i % 3 == 0) {
        producer.send(session.createTextMessage("m" + i));
      } else {
        producer.send(session.createTextMessage("m" + i), recorder);
      }
    }
    for (int i = 0; i < 40; i++) {
      assertThat(recorder.next()).endsWith("ID:");
    }
    assertThat(jms.drain(queue)).isEqualTo(sent);
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "7.3.4",
      text = "close of producer, session or connection, commit and rollback wait for the callbacks")
  @KnownDeviation(provider = "artemis", why = "does not wait")
  void endingWaitsForCallbacks(Ending ending, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    Session session = connection.createSession(ending.transacted, Session.AUTO_ACKNOWLEDGE);
    MessageProducer producer = session.createProducer(queue);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    CompletionListener slow =
        new CompletionListener() {
          @Override
          public void onCompletion(Message message) {
            entered.countDown();
            try {
              leave.await();
              done.incrementAndGet();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void onException(Message message, Exception exception) {
            done.addAndGet(100);
          }
        };
    producer.send(session.createTextMessage("a"), slow);
    producer.send(session.createTextMessage("b"), slow);
    assertThat(entered.await(Jms.SOON, TimeUnit.MILLISECONDS)).isTrue();
    CompletableFuture<Integer> end =
        jms.async(
            () -> {
              ending.run(connection, session, producer);
              return done.get();
            });
    assertThrows(
        java.util.concurrent.TimeoutException.class,
        () -> end.get(Jms.BRIEFLY, TimeUnit.MILLISECONDS));
    leave.countDown();
    assertThat(end.get(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(2);
    assertThat(jms.drain(queue))
        .isEqualTo(ending == Ending.ROLLBACK ? List.of() : List.of("a", "b"));
  }

  /** What ends or settles the sends of a session. */
  enum Ending {
    PRODUCER_CLOSE(false) {
      @Override
      void run(Connection connection, Session session, MessageProducer producer)
          throws JMSException {
        producer.close();
      }
    },
    SESSION_CLOSE(false) {
      @Override
      void run(Connection connection, Session session, MessageProducer producer)
          throws JMSException {
        session.close();
      }
    },
    CONNECTION_CLOSE(false) {
      @Override
      void run(Connection connection, Session session, MessageProducer producer)
          throws JMSException {
        connection.close();
      }
    },
    COMMIT(true) {
      @Override
      void run(Connection connection, Session session, MessageProducer producer)
          throws JMSException {
        session.commit();
      }
    },
    ROLLBACK(true) {
      @Override
      void run(Connection connection, Session session, MessageProducer producer)
          throws JMSException {
        session.rollback();
      }
    };

    final boolean transacted;

    Ending(boolean transacted) {
      this.transacted = transacted;
    }

    abstract void run(Connection connection, Session session, MessageProducer producer)
        throws JMSException;
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "7.3.4",
      text = "The same calls made by the callback throw IllegalStateException")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*\\[[45]\\].*",
      why = "allows commit and rollback")
  void endingFromACallback(Ending ending, Jms jms) throws Exception {
    Connection connection = jms.started();
    Session session = connection.createSession(ending.transacted, Session.AUTO_ACKNOWLEDGE);
    MessageProducer producer = session.createProducer(jms.queue());
    BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
    producer.send(
        session.createTextMessage("m"),
        new CompletionListener() {
          @Override
          public void onCompletion(Message message) {
            try {
              ending.run(connection, session, producer);
              outcome.add("allowed");
            } catch (IllegalStateException e) {
              outcome.add("refused");
            } catch (JMSException | RuntimeException e) {
              outcome.add(e.toString());
            }
          }

          @Override
          public void onException(Message message, Exception exception) {
            outcome.add(exception.toString());
          }
        });
    assertThat(outcome.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("refused");
  }

  @Test
  @Assertion(
      section = "7.3.4",
      text =
          "close, commit and rollback of a context by its callback throw IllegalStateRuntimeException")
  void endingAContextFromACallback(Jms jms) throws Exception {
    JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
    BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
    List<Runnable> calls = List.of(context::close, context::commit, context::rollback);
    context
        .createProducer()
        .setAsync(
            new CompletionListener() {
              @Override
              public void onCompletion(Message message) {
                for (Runnable call : calls) {
                  try {
                    call.run();
                    outcome.add("allowed");
                  } catch (IllegalStateRuntimeException e) {
                    outcome.add("refused");
                  }
                }
              }

              @Override
              public void onException(Message message, Exception exception) {
                outcome.add(exception.toString());
              }
            })
        .send(jms.queue(), "m");
    for (int i = 0; i < calls.size(); i++) {
      assertThat(outcome.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("refused");
    }
  }

  @Test
  @Assertion(section = "7.3.2", text = "Where send throws, the listener is not called")
  @KnownDeviation(provider = "artemis", why = "throws NullPointerException for a null message")
  void anExceptionMeansNoCallback(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    Recorder recorder = new Recorder();
    MessageProducer bound = session.createProducer(queue);
    MessageProducer unbound = session.createProducer(null);
    Message m = session.createTextMessage("m");
    assertThrows(MessageFormatException.class, () -> bound.send(null, recorder));
    assertThrows(InvalidDestinationException.class, () -> unbound.send(null, m, recorder));
    assertThrows(UnsupportedOperationException.class, () -> unbound.send(m, recorder));
    assertThrows(UnsupportedOperationException.class, () -> bound.send(queue, m, recorder));
    bound.send(session.createTextMessage("fence"), recorder);
    assertThat(recorder.next()).isEqualTo("fence ID:");
    assertThat(recorder.outcomes).isEmpty();
  }

  @Test
  @Assertion(
      section = "API MessageProducer",
      text = "A null CompletionListener is an IllegalArgumentException")
  void nullListener(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer bound = session.createProducer(queue);
    MessageProducer unbound = session.createProducer(null);
    Message m = session.createTextMessage("m");
    assertThrows(IllegalArgumentException.class, () -> bound.send(m, (CompletionListener) null));
    assertThrows(IllegalArgumentException.class, () -> bound.send(m, 2, 4, 0, null));
    assertThrows(
        IllegalArgumentException.class, () -> unbound.send(queue, m, (CompletionListener) null));
    assertThrows(IllegalArgumentException.class, () -> unbound.send(queue, m, 2, 4, 0, null));
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(
      section = "7.3",
      text = "JMSProducer.setAsync makes its sends asynchronous; null makes them synchronous again")
  void setAsync(Jms jms) throws Exception {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    Recorder recorder = new Recorder();
    var producer = context.createProducer().setAsync(recorder);
    assertThat(producer.getAsync()).isSameAs(recorder);
    producer.send(queue, "a").send(queue, "b");
    assertThat(recorder.next()).isEqualTo("a ID:");
    assertThat(recorder.next()).isEqualTo("b ID:");
    Message sync = context.createTextMessage("c");
    producer.setAsync(null).send(queue, sync);
    assertThat(sync.getJMSMessageID()).startsWith("ID:");
    assertThat(jms.drain(queue)).containsExactly("a", "b", "c");
    assertThat(recorder.outcomes).isEmpty();
  }

  @Test
  @Assertion(
      section = "7.3",
      text = "A RuntimeException of the listener does not stop later callbacks")
  void aThrowingListener(Jms jms) throws Exception {
    Session session = jms.session();
    MessageProducer producer = session.createProducer(jms.queue());
    producer.send(
        session.createTextMessage("m"),
        new CompletionListener() {
          @Override
          public void onCompletion(Message message) {
            throw new java.lang.IllegalStateException("thrown by the test");
          }

          @Override
          public void onException(Message message, Exception exception) {}
        });
    Recorder recorder = new Recorder();
    producer.send(session.createTextMessage("n"), recorder);
    assertThat(recorder.next()).isEqualTo("n ID:");
  }

  @Test
  @Assertion(section = "7.3", text = "A QueueSender inherits the asynchronous sends")
  void queueSender(Jms jms) throws Exception {
    Queue queue = jms.queue();
    QueueSession session = jms.queueSession();
    Recorder recorder = new Recorder();
    session.createSender(queue).send(session.createTextMessage("m"), recorder);
    assertThat(recorder.next()).isEqualTo("m ID:");
    assertThat(jms.drain(queue)).containsExactly("m");
  }

  @Test
  @Assertion(section = "7.3.6", text = "In onCompletion every header set by the provider is there")
  void headersInTheCallback(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setTimeToLive(60_000);
    producer.setPriority(6);
    CompletableFuture<Message> completed = new CompletableFuture<>();
    Message sent = session.createTextMessage("m");
    long before = System.currentTimeMillis();
    producer.send(
        sent,
        new CompletionListener() {
          @Override
          public void onCompletion(Message message) {
            completed.complete(message);
          }

          @Override
          public void onException(Message message, Exception exception) {
            completed.completeExceptionally(exception);
          }
        });
    Message message = completed.get(Jms.SOON, TimeUnit.MILLISECONDS);
    assertThat(message).isSameAs(sent);
    assertThat(message.getJMSMessageID()).startsWith("ID:");
    assertThat(message.getJMSDestination()).isEqualTo(queue);
    assertThat(message.getJMSPriority()).isEqualTo(6);
    assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    assertThat(message.getJMSTimestamp()).isGreaterThanOrEqualTo(before);
    assertThat(message.getJMSExpiration()).isGreaterThanOrEqualTo(before + 60_000);
  }
}
