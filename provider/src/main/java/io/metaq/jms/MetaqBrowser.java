package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.transport.BrokerConnection;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.Content;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A look at a queue. Every enumeration is a walk of its own whose end is taken when it begins; it
 * fetches pages as it is read. One that the connection broke under says so, since it cannot go on
 * where it was.
 */
final class MetaqBrowser implements QueueBrowser {
  private static final int PAGE = 200;
  private static final int PAGE_BYTES = 1 << 20;
  private static final long LOOK_AGAIN_MILLIS = 500;

  private final SessionCore session;
  private final ConsumerSpec spec;
  private final Queue queue;
  private final String selector;
  private final Collection<Walk> walks = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  MetaqBrowser(SessionCore session, ConsumerSpec spec, Queue queue, String selector) {
    this.session = session;
    this.spec = spec;
    this.queue = queue;
    this.selector = selector;
  }

  private void requireOpen() throws JMSException {
    session.requireOpen();
    if (closed) {
      throw Failures.closed("browser");
    }
  }

  @Override
  public Queue getQueue() throws JMSException {
    requireOpen();
    return queue;
  }

  @Override
  public String getMessageSelector() throws JMSException {
    requireOpen();
    return spec.selector() == null ? null : selector;
  }

  @Override
  public Enumeration<Message> getEnumeration() throws JMSException {
    requireOpen();
    Walk walk = new Walk();
    walk.begin();
    walks.add(walk);
    return walk;
  }

  @Override
  public void close() throws JMSException {
    if (!closed) {
      closed = true;
      walks.forEach(Walk::end);
    }
  }

  /** One enumeration. */
  private final class Walk implements Enumeration<Message>, DeliverySink {
    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
    private final Deque<Message> page = new ArrayDeque<>();
    private int id;
    private long epoch;
    private int messagesLeft;
    private long bytesLeft;
    private boolean exhausted;
    private boolean ended;

    void begin() throws JMSException {
      BrokerConnection broker = session.connection().broker();
      try {
        epoch = broker.awaitOpen();
        id = session.connection().register(this);
        broker.requestOnce(spec.frame(id, session.id()), epoch);
      } catch (RequestRefusedException e) {
        session.connection().unregister(id);
        throw Failures.refused(spec.doing(), e);
      } catch (IOException e) {
        session.connection().unregister(id);
        throw Failures.lost(spec.doing(), e);
      }
    }

    @Override
    public void deliver(Deliver delivery) {
      arrived.add(delivery);
    }

    @Override
    public void drained(Drained drained) {
      arrived.add(drained);
    }

    @Override
    public boolean hasMoreElements() {
      while (page.isEmpty() && !ended) {
        try {
          nextPage();
        } catch (JMSException e) {
          end();
          throw new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
      }
      return !page.isEmpty();
    }

    private void nextPage() throws JMSException {
      BrokerConnection broker = session.connection().broker();
      try {
        Credit credit = new Credit(id, PAGE - messagesLeft, (int) (PAGE_BYTES - bytesLeft), true);
        messagesLeft = PAGE;
        bytesLeft = PAGE_BYTES;
        requireStanding(broker.postNow(credit, epoch));
        while (messagesLeft > 0 && bytesLeft > 0) {
          if (!(arrivedNext(broker) instanceof Deliver delivery)) {
            exhausted = true;
            break;
          }
          messagesLeft--;
          bytesLeft -= delivery.content().remaining();
          page.add(message(delivery));
        }
        if (exhausted) {
          end();
        }
      } catch (IOException e) {
        throw Failures.lost(spec.doing(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Failures.caused(new JMSException("The thread was interrupted while it browsed"), e);
      }
    }

    private Object arrivedNext(BrokerConnection broker) throws JMSException, InterruptedException {
      while (true) {
        Object next = arrived.poll(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          return next;
        }
        requireOpen();
        requireStanding(broker.epoch() == epoch && broker.isOpen());
      }
    }

    private void requireStanding(boolean stands) throws JMSException {
      if (!stands) {
        throw new JMSException(
            spec.doing() + ": the connection broke; begin a new enumeration", "CONNECTION_LOST");
      }
    }

    private Message message(Deliver delivery) throws IOException {
      Content content = Content.of(delivery.content());
      Body body =
          delivery.largeBody() < 0
              ? Body.of(content.payload())
              : LargeBodies.fetch(
                  session.connection().broker(), session.connection().bodies(), delivery);
      return session
          .connection()
          .messages()
          .received(content.block(), body, delivery.deliveryCount());
    }

    @Override
    public Message nextElement() {
      if (!hasMoreElements()) {
        throw new NoSuchElementException("The browser has shown all of " + spec.destination());
      }
      return page.remove();
    }

    void end() {
      if (!ended) {
        ended = true;
        walks.remove(this);
        session.connection().unregister(id);
        session.connection().broker().post(new CloseConsumer(id, 0), epoch);
      }
    }
  }
}
