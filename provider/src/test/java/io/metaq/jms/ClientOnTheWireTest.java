package io.metaq.jms;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.transport.ScriptedBroker;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.AckConfirmed;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Handed;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.StopConsumer;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import io.metaq.wire.TransactionFrames.Rollback;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of the protocol that no broker can show to be broken, as they stand on the wire. */
class ClientOnTheWireTest {
  private ScriptedBroker broker;
  private Connection connection;

  @BeforeEach
  void listen() throws IOException {
    broker = new ScriptedBroker();
  }

  @AfterEach
  void end() throws Exception {
    if (connection != null) {
      connection.close();
    }
    broker.close();
  }

  private Session session(String options, int mode) throws JMSException {
    connection =
        new MetaqConnectionFactory(broker.url() + "?reconnectDelay=1" + options).createConnection();
    connection.start();
    return connection.createSession(mode);
  }

  private static MessageConsumer consumer(Session session) throws JMSException {
    return session.createConsumer(session.createQueue("q"));
  }

  /** Delivers messages {@code first} to {@code last} to the consumer made last. */
  private void deliver(int first, int last) throws IOException {
    List<Consume> consumers = broker.received(Consume.class);
    int id = consumers.get(consumers.size() - 1).consumerId();
    for (int n = first; n <= last; n++) {
      broker.push(Deliveries.text(id, n));
    }
  }

  /** Of the first consumer, as {@link Deliveries} makes them. */
  private static Range range(long first, long last) {
    return new Range(1, 7, 0, first, last);
  }

  private static String text(Message message) throws JMSException {
    return message == null ? null : ((TextMessage) message).getText();
  }

  @Test
  void autoAcknowledgesOneMessageOnTheWireBeforeTheNextIsHandedOver() throws Exception {
    Session session = session("", Session.AUTO_ACKNOWLEDGE);
    CountDownLatch inSecond = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    consumer(session)
        .setMessageListener(
            message -> {
              if ("m2".equals(textOf(message))) {
                inSecond.countDown();
                awaitQuietly(release);
              }
            });

    deliver(1, 2);

    assertThat(inSecond.await(20, SECONDS)).isTrue();
    assertThat(broker.await(Ack.class, 1)).isEqualTo(new Ack(1, 0, List.of(range(1, 1))));
    release.countDown();
    assertThat(broker.await(Ack.class, 2)).isEqualTo(new Ack(2, 0, List.of(range(2, 2))));
  }

  private static String textOf(Message message) {
    try {
      return text(message);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anUnconfirmedAcknowledgementIsRepeatedBeforeTheConsumerStandsAgain() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.AUTO_ACKNOWLEDGE));
    deliver(1, 2);
    assertThat(text(consumer.receive(20_000))).isEqualTo("m1");
    assertThat(text(consumer.receive(20_000))).isEqualTo("m2");
    broker.await(Ack.class, 2);
    broker.push(new AckConfirmed(1));
    await().until(() -> ledgerHasOnlyTheSecond());

    broker.cut();

    broker.await(Consume.class, 2);
    List<Frame> again = broker.received();
    again = again.subList(again.lastIndexOf(broker.await(Hello.class, 2)), again.size());
    assertThat(again.stream().filter(Ack.class::isInstance))
        .containsExactly(new Ack(2, 0, List.of(range(2, 2))));
    assertThat(again.indexOf(new Ack(2, 0, List.of(range(2, 2)))))
        .isLessThan(again.indexOf(broker.await(Consume.class, 2)));
  }

  private boolean ledgerHasOnlyTheSecond() {
    return ((MetaqConnection) connection).core().ledger().unconfirmed() == 1;
  }

  @Test
  void aClientModeConsumerReportsHowFarTheApplicationGot() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.CLIENT_ACKNOWLEDGE));
    int id = broker.await(Consume.class, 1).consumerId();
    deliver(1, 3);

    consumer.receive(20_000);
    Message second = consumer.receive(20_000);

    // The first goes unreported: the broker counts the next in line by itself.
    assertThat(broker.await(Handed.class, 1)).isEqualTo(new Handed(id, 1));
    assertThat(broker.received(Handed.class)).hasSize(1);
    second.acknowledge();
    assertThat(broker.await(Ack.class, 1)).isEqualTo(new Ack(0, 0, List.of(range(1, 2))));
  }

  @Test
  void acknowledgeCoversNothingThatWasOnlyPrefetched() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.CLIENT_ACKNOWLEDGE));
    deliver(1, 5);

    consumer.receive(20_000).acknowledge();

    assertThat(broker.await(Ack.class, 1).ranges()).containsExactly(range(1, 1));
  }

  @Test
  void individualModeAcknowledgesTheOneMessage() throws Exception {
    MessageConsumer consumer = consumer(session("", MetaqSession.INDIVIDUAL_ACKNOWLEDGE));
    deliver(1, 3);
    consumer.receive(20_000);
    Message second = consumer.receive(20_000);
    consumer.receive(20_000);

    second.acknowledge();

    assertThat(broker.await(Ack.class, 1).ranges()).containsExactly(range(2, 2));
  }

  @Test
  void dupsOkAcknowledgesInBatchesAndWhenNothingMoreIsThere() throws Exception {
    MessageConsumer consumer =
        consumer(session("&acknowledgeBatch=2", Session.DUPS_OK_ACKNOWLEDGE));
    deliver(1, 3);
    await().until(() -> ((MetaqConsumer) consumer).core().queue.size() == 3);

    for (int i = 0; i < 3; i++) {
      assertThat(consumer.receive(20_000)).isNotNull();
    }
    assertThat(broker.await(Ack.class, 1).ranges()).containsExactly(range(1, 2));
    assertThat(consumer.receive(1)).isNull();
    assertThat(broker.await(Ack.class, 2).ranges()).containsExactly(range(3, 3));
  }

  @Test
  void recoverGivesBackWhatWasHandedOverAndDropsWhatWasPrefetched() throws Exception {
    Session session = session("", Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = consumer(session);
    deliver(1, 3);
    consumer.receive(20_000);
    consumer.receive(20_000);

    session.recover();

    assertThat(broker.await(Recover.class, 1).handed()).containsExactly(range(1, 2));
    broker.await(Credit.class, 2);
    deliver(4, 4);
    assertThat(text(consumer.receive(20_000))).isEqualTo("m4");
  }

  @Test
  void aListenerThatThrowsInAutoModeGetsItsMessageAgain() throws Exception {
    Session session = session("", Session.AUTO_ACKNOWLEDGE);
    consumer(session)
        .setMessageListener(
            message -> {
              throw new IllegalStateException("no");
            });

    deliver(1, 1);

    assertThat(broker.await(Recover.class, 1).handed()).containsExactly(range(1, 1));
    assertThat(broker.received(Ack.class)).isEmpty();
  }

  @Test
  void recoverInsideAListenerLeavesNothingToAcknowledge() throws Exception {
    Session session = session("", Session.AUTO_ACKNOWLEDGE);
    CountDownLatch done = new CountDownLatch(2);
    consumer(session)
        .setMessageListener(
            message -> {
              if ("m1".equals(textOf(message))) {
                recoverQuietly(session);
              }
              done.countDown();
            });
    deliver(1, 1);
    broker.await(Recover.class, 1);
    broker.await(Credit.class, 2);

    deliver(2, 2);

    assertThat(done.await(20, SECONDS)).isTrue();
    assertThat(broker.await(Ack.class, 1).ranges()).containsExactly(range(2, 2));
  }

  private static void recoverQuietly(Session session) {
    try {
      session.recover();
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStoppedConsumerGivesUnseenMessagesBack() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.AUTO_ACKNOWLEDGE));
    int id = broker.await(Consume.class, 1).consumerId();
    deliver(1, 3);
    assertThat(text(consumer.receive(20_000))).isEqualTo("m1");

    connection.stop();

    assertThat(broker.await(StopConsumer.class, 1)).isEqualTo(new StopConsumer(id, 1));
    assertThat(consumer.receiveNoWait()).isNull();
    connection.start();
    broker.await(Credit.class, 2);
    deliver(4, 4);
    assertThat(text(consumer.receive(20_000))).isEqualTo("m4");
  }

  @Test
  void aClosedConsumerTellsHowFarTheApplicationGot() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.CLIENT_ACKNOWLEDGE));
    int id = broker.await(Consume.class, 1).consumerId();
    deliver(1, 3);
    consumer.receive(20_000);
    consumer.receive(20_000);

    consumer.close();

    assertThat(broker.await(CloseConsumer.class, 1)).isEqualTo(new CloseConsumer(id, 2));
  }

  @Test
  void receiveNoWaitAsksTheBroker() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.AUTO_ACKNOWLEDGE));

    assertThat(consumer.receiveNoWait()).isNull();

    broker.await(Credit.class, 1, Credit::drain);
  }

  @Test
  void withoutPrefetchEachReceiveAsksForOneMessageAndTakesTheCreditBack() throws Exception {
    MessageConsumer consumer = consumer(session("&prefetch=0", Session.AUTO_ACKNOWLEDGE));
    int id = broker.await(Consume.class, 1).consumerId();
    assertThat(broker.received(Credit.class)).isEmpty();

    assertThat(consumer.receive(50)).isNull();

    assertThat(broker.received(Credit.class))
        .containsExactly(new Credit(id, 1, Integer.MAX_VALUE, false), new Credit(id, 0, 0, true));
  }

  @Test
  void creditIsRenewedWhenHalfIsUsed() throws Exception {
    MessageConsumer consumer = consumer(session("&prefetch=4", Session.AUTO_ACKNOWLEDGE));
    int id = broker.await(Consume.class, 1).consumerId();
    deliver(1, 4);
    int size = Deliveries.text(id, 1).content().remaining();

    consumer.receive(20_000);
    consumer.receive(20_000);

    assertThat(broker.await(Credit.class, 2)).isEqualTo(new Credit(id, 2, 2 * size, false));
  }

  @Test
  void aMessageThatExpiredInTheBufferIsNeverSeen() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.AUTO_ACKNOWLEDGE));
    int id = broker.await(Consume.class, 1).consumerId();

    broker.push(Deliveries.text(id, 1, 1, System.currentTimeMillis() - 10_000));
    broker.push(Deliveries.text(id, 2));

    assertThat(text(consumer.receive(20_000))).isEqualTo("m2");
    assertThat(broker.await(Release.class, 1)).isEqualTo(new Release(false, List.of(range(1, 1))));
  }

  @Test
  void aSendGoesOutAgainWithItsSequence() throws Exception {
    Session session = session("", Session.AUTO_ACKNOWLEDGE);
    MessageProducer producer = session.createProducer(session.createQueue("q"));
    broker.answer(Send.class, ScriptedBroker.SILENCE);
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(
            () -> {
              try {
                producer.send(session.createTextMessage("x"));
              } catch (JMSException e) {
                throw new IllegalStateException(e);
              }
            });
    Send first = broker.await(Send.class, 1);
    broker.answer(Send.class, io.metaq.wire.ConnectionFrames.Ok.INSTANCE);

    broker.cut();

    sent.get(20, SECONDS);
    Send second = broker.await(Send.class, 2);
    assertThat(second.sequence()).isEqualTo(first.sequence());
    assertThat(second.content()).isEqualTo(first.content());
  }

  @Test
  void aDestinationDeletedAndMadeAgainIsLookedUpAgain() throws Exception {
    Session session = session("", Session.AUTO_ACKNOWLEDGE);
    MessageProducer producer = session.createProducer(session.createQueue("q"));
    broker.answer(io.metaq.wire.DestinationFrames.Resolve.class, new Resolved(99));
    broker.rule(
        frame ->
            frame instanceof Send send && send.destinationId() != 99
                ? new Failure(ErrorCode.STALE, "gone")
                : null);

    producer.send(session.createTextMessage("x"));

    assertThat(broker.await(Send.class, 2).destinationId()).isEqualTo(99);
  }

  @Test
  void aCommitWhoseAnswerIsLostIsAskedAboutAndReturnsIfItHappened() throws Exception {
    Session session = session("", Session.SESSION_TRANSACTED);
    session.createProducer(session.createQueue("q")).send(session.createTextMessage("x"));
    broker.answer(QueryOutcome.class, new Outcome(true));
    commitWithoutAnswer(session).get(20, SECONDS);

    assertThat(broker.await(QueryOutcome.class, 1).transaction())
        .isEqualTo(broker.await(Commit.class, 1).transaction());
    assertThat(broker.received(Commit.class)).hasSize(1);
  }

  @Test
  void aCommitWhoseAnswerIsLostThrowsIfItDidNotHappen() throws Exception {
    Session session = session("", Session.SESSION_TRANSACTED);
    session.createProducer(session.createQueue("q")).send(session.createTextMessage("x"));
    broker.answer(QueryOutcome.class, new Outcome(false));

    assertThatThrownBy(() -> commitWithoutAnswer(session).get(20, SECONDS))
        .cause()
        .isInstanceOf(TransactionRolledBackException.class);
  }

  private CompletableFuture<Void> commitWithoutAnswer(Session session) throws IOException {
    broker.answer(Commit.class, ScriptedBroker.SILENCE);
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread committer =
        new Thread(
            () -> {
              try {
                session.commit();
                done.complete(null);
              } catch (JMSException e) {
                done.completeExceptionally(e);
              }
            });
    committer.start();
    broker.await(Commit.class, 1);
    broker.cut();
    return done;
  }

  @Test
  void aTransactionThatLostItsConnectionNeverCommitsOnlyWhatFollowed() throws Exception {
    Session session = session("", Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(session.createQueue("q"));
    producer.send(session.createTextMessage("before"));
    broker.await(Send.class, 1);
    broker.cut();
    broker.await(Hello.class, 2);
    producer.send(session.createTextMessage("after"));

    assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
    assertThat(broker.received(Commit.class)).isEmpty();

    producer.send(session.createTextMessage("next"));
    session.commit();
    assertThat(broker.await(Send.class, 2).transaction())
        .isEqualTo(broker.await(Commit.class, 1).transaction());
  }

  @Test
  void aCommitCarriesTheAcknowledgementsAndARollbackWhatWasSeen() throws Exception {
    Session session = session("", Session.SESSION_TRANSACTED);
    MessageConsumer consumer = consumer(session);
    deliver(1, 3);
    consumer.receive(20_000);
    session.commit();
    consumer.receive(20_000);
    session.rollback();

    assertThat(broker.await(Commit.class, 1).acks()).containsExactly(range(1, 1));
    assertThat(broker.await(Rollback.class, 1).handed()).containsExactly(range(2, 2));
  }

  @Test
  void anEmptyTransactionCostsNoRoundTrip() throws Exception {
    Session session = session("", Session.SESSION_TRANSACTED);

    session.commit();
    session.rollback();

    assertThat(broker.received(Commit.class)).isEmpty();
    assertThat(broker.received(Rollback.class)).isEmpty();
  }

  @Test
  void aConsumerThatCannotBeMadeAgainSaysSoToItsReceiver() throws Exception {
    MessageConsumer consumer = consumer(session("", Session.AUTO_ACKNOWLEDGE));
    broker.answer(Consume.class, new Failure(ErrorCode.INVALID_DESTINATION, "deleted meanwhile"));

    broker.cut();

    assertThatThrownBy(() -> consumer.receive(20_000)).hasMessageContaining("deleted meanwhile");
  }

  @Test
  void aLossThatIsNotRepairedReachesTheExceptionListenerOnce() throws Exception {
    AtomicReference<JMSException> heard = new AtomicReference<>();
    connection = new MetaqConnectionFactory(broker.url() + "?reconnect=false").createConnection();
    connection.setExceptionListener(
        failure -> assertThat(heard.compareAndSet(null, failure)).isTrue());

    broker.cut();

    await().until(() -> heard.get() != null);
    assertThatThrownBy(() -> connection.createSession().createProducer(new MetaqQueue("q")))
        .isInstanceOf(JMSException.class);
  }

  @Test
  void aDestinationThatTheBrokerDoesNotKnowIsInvalid() throws Exception {
    Session session = session("", Session.AUTO_ACKNOWLEDGE);
    broker.answer(
        io.metaq.wire.DestinationFrames.Resolve.class,
        new Failure(ErrorCode.INVALID_DESTINATION, "unknown"));

    assertThatThrownBy(() -> session.createProducer(session.createQueue("q")))
        .isInstanceOf(InvalidDestinationException.class)
        .hasMessageContaining("queue://q");
  }
}
