package io.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.ra.MetaqResourceAdapter;
import io.metaq.ra.support.FakeBean;
import io.metaq.ra.support.FakeContainer;
import io.metaq.ra.support.TestBroker;
import io.metaq.ra.support.TestXid;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.resource.NotSupportedException;
import jakarta.resource.spi.ActivationSpec;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActivationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private TestBroker broker;
  private FakeContainer container;
  private MetaqResourceAdapter adapter;
  private final String name = "d-" + UUID.randomUUID();
  private final List<String> seen = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    broker = new TestBroker(directory);
    container = new FakeContainer();
    adapter = new MetaqResourceAdapter();
    adapter.setServerUrl(broker.url());
    adapter.start(container);
  }

  @AfterEach
  void end() {
    adapter.stop();
    container.close();
    broker.close();
  }

  private static String text(Message message) {
    try {
      return ((TextMessage) message).getText();
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int deliveries(Message message) {
    try {
      return message.getIntProperty("JMSXDeliveryCount");
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  private void see(Message message) {
    seen.add(text(message));
  }

  private MetaqActivationSpec onQueue() {
    MetaqActivationSpec spec = new MetaqActivationSpec();
    spec.setDestination(name);
    spec.setDestinationType("jakarta.jms.Queue");
    spec.setMaxSessions(1);
    return spec;
  }

  private MetaqActivationSpec onTopic() {
    MetaqActivationSpec spec = onQueue();
    spec.setDestinationType("jakarta.jms.Topic");
    return spec;
  }

  private FakeBean activate(MetaqActivationSpec spec, boolean transacted, MessageListener listener)
      throws Exception {
    return activate(spec, new FakeBean(transacted, listener));
  }

  private FakeBean activate(MetaqActivationSpec spec, FakeBean bean) throws Exception {
    spec.setResourceAdapter(adapter);
    adapter.endpointActivation(bean, spec);
    return bean;
  }

  private void awaitSeen(String... texts) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsExactly(texts));
  }

  private void publish(String text) {
    try (JMSContext client = broker.client()) {
      client.createProducer().send(client.createTopic(name), text);
    }
  }

  /** Until the bean's subscription stands, what is published goes past it. */
  private void awaitSubscription(int beans) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              publish("probe");
              return seen.stream().filter("probe"::equals).count() >= beans;
            });
    seen.clear();
  }

  private List<String> seenWithoutProbes() {
    return seen.stream().filter(text -> !text.equals("probe")).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBeanWithOneSessionGetsEachMessageOnceInOrder(boolean transacted) throws Exception {
    broker.send(name, "1", "2", "3");

    FakeBean bean = activate(onQueue(), transacted, this::see);

    awaitSeen("1", "2", "3");
    adapter.endpointDeactivation(bean, null);
    adapter.stop();
    assertThat(broker.receive(name)).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMessageWhoseBeanThrowsComesAgainAndIsCounted(boolean transacted) throws Exception {
    broker.send(name, "poison", "good");

    activate(
        onQueue(),
        transacted,
        message -> {
          seen.add(text(message) + deliveries(message));
          if (text(message).equals("poison") && deliveries(message) < 3) {
            throw new IllegalArgumentException("cannot digest this");
          }
        });

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(seen).contains("poison1", "poison2", "poison3", "good1"));
    adapter.stop();
    assertThat(broker.receive(name)).isNull();
  }

  @Test
  void whatTheContainerRollsBackComesAgainWhetherOrNotItSaysSo() throws Exception {
    FakeBean bean = new FakeBean(true, message -> seen.add(text(message) + deliveries(message)));
    bean.rollbacks.set(1);
    bean.failedCommits.set(1);
    broker.send(name, "m");

    activate(onQueue(), bean);

    awaitSeen("m1", "m2", "m3");
    adapter.stop();
    assertThat(broker.receive(name)).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMissingEndpointLosesNothingAndCountsNothing(boolean transacted) throws Exception {
    FakeBean bean =
        new FakeBean(transacted, message -> seen.add(text(message) + deliveries(message)));
    bean.unavailable.set(3);
    broker.send(name, "m");

    activate(onQueue(), bean);

    awaitSeen("m1");
  }

  /** Fault X11. */
  @Test
  void afterATransactionThatTimedOutTheNextTenMessagesArrive() throws Exception {
    FakeBean bean = new FakeBean(true, message -> seen.add(text(message)));
    bean.failedCommits.set(1);
    String[] texts = IntStream.range(0, 11).mapToObj(Integer::toString).toArray(String[]::new);
    broker.send(name, texts);

    activate(onQueue(), bean);

    await().atMost(PATIENCE).until(() -> seen.size() == 12);
    assertThat(seen.get(0)).isEqualTo("0");
    assertThat(Set.copyOf(seen.subList(1, 12))).containsExactlyInAnyOrder(texts);
  }

  @Test
  void manySessionsServeAtTheSameTimeAndEachMessageOnce() throws Exception {
    MetaqActivationSpec spec = onQueue();
    spec.setMaxSessions(5);
    CountDownLatch together = new CountDownLatch(5);
    broker.send(name, "1", "2", "3", "4", "5");

    activate(
        spec,
        true,
        message -> {
          together.countDown();
          try {
            if (together.await(30, TimeUnit.SECONDS)) {
              see(message);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });

    await().atMost(PATIENCE).until(() -> seen.size() == 5);
    assertThat(seen).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
  }

  @Test
  void eachOfTwoBeansOnATopicGetsEachMessageOnceHoweverManySessionsItHas() throws Exception {
    MetaqActivationSpec wide = onTopic();
    wide.setMaxSessions(4);
    List<String> other = new CopyOnWriteArrayList<>();
    activate(wide, true, this::see);
    activate(
        onTopic(),
        false,
        message -> {
          if (!text(message).equals("probe")) {
            other.add(text(message));
          } else {
            see(message);
          }
        });
    awaitSubscription(4);

    IntStream.range(0, 20).forEach(i -> publish("m" + i));

    await().atMost(PATIENCE).until(() -> seenWithoutProbes().size() >= 20 && other.size() >= 20);
    assertThat(seenWithoutProbes()).hasSize(20).doesNotHaveDuplicates();
    assertThat(other).hasSize(20).doesNotHaveDuplicates();
  }

  /** Fault C1. */
  @Test
  void aDurableSubscriptionWithoutClientIdIsSharedByServersAndKeepsWhatIsPublishedMeanwhile()
      throws Exception {
    MetaqActivationSpec spec = onTopic();
    spec.setSubscriptionDurability("Durable");
    spec.setSubscriptionName("audit");
    FakeBean bean = activate(spec, true, this::see);
    awaitSubscription(1);
    adapter.endpointDeactivation(bean, spec);

    publish("meanwhile");
    seen.clear();
    MetaqResourceAdapter second = new MetaqResourceAdapter();
    second.setServerUrl(broker.url());
    second.start(container);
    MetaqActivationSpec here = onTopic();
    here.setSubscriptionDurability("Durable");
    here.setSubscriptionName("audit");
    activate(here, true, this::see);
    MetaqActivationSpec there = onTopic();
    there.setSubscriptionDurability("Durable");
    there.setSubscriptionName("audit");
    second.endpointActivation(new FakeBean(true, this::see), there);
    try {
      IntStream.range(0, 10).forEach(i -> publish("m" + i));

      await().atMost(PATIENCE).until(() -> seenWithoutProbes().size() >= 11);
      assertThat(seenWithoutProbes()).hasSize(11).contains("meanwhile").doesNotHaveDuplicates();
    } finally {
      second.stop();
    }
  }

  @Test
  void aSelectorIsTheBeans() throws Exception {
    MetaqActivationSpec spec = onQueue();
    spec.setMessageSelector("JMSPriority > 5");
    activate(spec, true, this::see);

    try (JMSContext client = broker.client()) {
      client.createProducer().setPriority(1).send(client.createQueue(name), "low");
      client.createProducer().setPriority(9).send(client.createQueue(name), "high");
    }

    awaitSeen("high");
    adapter.stop();
    assertThat(broker.receive(name)).isEqualTo("low");
  }

  @Test
  void afterFailuresInARowTheBeanRestsUntilItIsResumedOverJmx() throws Exception {
    MetaqActivationSpec spec = onQueue();
    spec.setMaxFailures(2);
    spec.setPauseSeconds(0);
    FakeBean bean = new FakeBean(true, message -> seen.add(text(message) + deliveries(message)));
    bean.rollbacks.set(2);
    broker.send(name, "m");
    activate(spec, bean);

    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName mbean =
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    server
                        .queryNames(
                            new ObjectName(
                                "io.metaq:type=Activation,destination="
                                    + ObjectName.quote(name)
                                    + ",*"),
                            null)
                        .stream()
                        .findFirst()
                        .orElse(null),
                java.util.Objects::nonNull);
    await().atMost(PATIENCE).until(() -> (Boolean) server.getAttribute(mbean, "Paused"));
    assertThat(seen).containsExactly("m1", "m2");
    assertThat(server.getAttribute(mbean, "Destination")).isEqualTo("queue " + name);
    server.invoke(mbean, "resume", null, null);

    awaitSeen("m1", "m2", "m3");
    adapter.stop();
    assertThat(server.isRegistered(mbean)).isFalse();
  }

  /** Fault C3. */
  @Test
  void theBeanIsServedAgainEachTimeTheBrokerComesBackAlthoughReleaseFails() throws Exception {
    Set<String> processed = ConcurrentHashMap.newKeySet();
    FakeBean bean = new FakeBean(true, message -> processed.add(text(message)));
    bean.releaseFails = true;
    MetaqActivationSpec spec = onQueue();
    spec.setMaxSessions(2);
    activate(spec, bean);

    for (int round = 0; round < 4; round++) {
      String text = "round " + round;
      broker.send(name, text);
      await().atMost(PATIENCE).until(() -> processed.contains(text));
      broker.kill();
      broker.startAgain();
    }
    assertThat(processed).hasSize(4);
  }

  @Test
  void aBrokerThatIsAwayHoldsUpNoDeploymentAndIsWrittenOfOnceAMinute() throws Exception {
    broker.kill();
    List<LogRecord> warnings = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord written) {
            warnings.add(written);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.metaq");
    logger.addHandler(handler);
    try {
      activate(onQueue(), true, this::see);

      await().atMost(PATIENCE).until(() -> !warnings.isEmpty());
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(warnings).hasSize(1));
      assertThat(warnings.get(0).getMessage()).contains(name).contains(broker.url());

      broker.startAgain();
      broker.send(name, "at last");
      awaitSeen("at last");
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void stopEndsWithinTenSecondsAlsoWhenTheBrokerIsGone() throws Exception {
    for (int i = 0; i < 3; i++) {
      activate(onQueue(), true, this::see);
    }
    broker.send(name, "here");
    await().atMost(PATIENCE).until(() -> !seen.isEmpty());
    broker.kill();

    long before = System.nanoTime();
    adapter.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(11));
    assertThat(container.isIdleWithin(10)).isTrue();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("metaq-bean-")));
  }

  @Test
  void anActivationWaitsForNoThreadOfASmallPool() throws Exception {
    container.close();
    container = new FakeContainer(1);
    adapter.stop();
    adapter.start(container);
    MetaqActivationSpec first = onQueue();
    first.setMaxSessions(3);
    broker.send(name, "1", "2");

    FakeBean bean = activate(first, true, this::see);

    awaitSeen("1", "2");
    adapter.endpointDeactivation(bean, first);
    assertThat(container.isIdleWithin(10)).isTrue();
  }

  /** What such a thread inherits, it would hold for as long as the pool has it. */
  @Test
  void threadsOfTheContainersPoolInheritNothingOfTheAdapter() throws Exception {
    broker.send(name, "m");

    activate(onQueue(), true, this::see);

    awaitSeen("m");
    assertThat(container.schedulers)
        .containsExactly(container.getWorkManager().getClass().getClassLoader());
  }

  @Test
  void aBeanWithoutAnyAddressIsRefused() {
    adapter.setServerUrl(null);

    assertThatThrownBy(() -> activate(onQueue(), true, this::see))
        .isInstanceOf(NotSupportedException.class)
        .hasMessageContaining("serverUrl")
        .hasMessageContaining(name);
  }

  /** Fault X9. */
  @Test
  void recoveryFindsAndFinishesWhatIsInDoubtAndWaitsForABrokerThatIsAway() throws Exception {
    MetaqActivationSpec spec = onQueue();
    spec.setResourceAdapter(adapter);
    TestXid xid = new TestXid();
    try (XAConnection connection = adapter.settings().connect()) {
      XASession session = connection.createXASession();
      XAResource resource = session.getXAResource();
      resource.start(xid, XAResource.TMNOFLAGS);
      session.createProducer(session.createQueue(name)).send(session.createTextMessage("doubt"));
      resource.end(xid, XAResource.TMSUCCESS);
      assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
    }
    broker.kill();

    XAResource recovery = adapter.getXAResources(new ActivationSpec[] {spec})[0];
    assertThatThrownBy(() -> recovery.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
        .isInstanceOfSatisfying(
            XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));
    broker.startAgain();

    assertThat(recovery.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
        .anyMatch(xid::names);
    recovery.commit(xid, false);
    assertThat(broker.receive(name)).isEqualTo("doubt");
  }

  @Test
  void aThousandRequestsForRecoveryLeaveOneResourceForEachBroker() throws Exception {
    MetaqActivationSpec here = onQueue();
    MetaqActivationSpec same = onQueue();
    same.setServerUrl(broker.url() + "?prefetch=1");
    MetaqActivationSpec elsewhere = onQueue();
    elsewhere.setServerUrl("metaq://127.0.0.1:1");
    XAResource first = adapter.getXAResources(new ActivationSpec[] {here})[0];

    for (int i = 0; i < 1_000; i++) {
      XAResource[] resources = adapter.getXAResources(new ActivationSpec[] {here, same, elsewhere});
      assertThat(resources).hasSize(2);
      assertThat(Arrays.asList(resources)).contains(first);
    }
    assertThat(adapter.getXAResources(new ActivationSpec[0])).isEmpty();
  }
}
