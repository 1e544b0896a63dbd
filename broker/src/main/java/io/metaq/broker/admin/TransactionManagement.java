package io.metaq.broker.admin;

import io.metaq.broker.core.TransactionFigures;
import io.metaq.broker.engine.Engine;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions of one broker for JMX and for metrics. Any thread. */
public final class TransactionManagement implements TransactionsMXBean, MeterBinder, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionManagement.class);
  private static final int PATIENCE_SECONDS = 10;

  /** A commit answers when its messages have their places, and they may be millions. */
  private static final int COMMIT_PATIENCE_SECONDS = 600;

  private static final TransactionFigures NONE = new TransactionFigures(0, 0, 0, 0, 0);

  private final Engine engine;
  private final ObjectName name;
  private volatile boolean closed;

  private TransactionManagement(Engine engine, ObjectName name) {
    this.engine = engine;
    this.name = name;
  }

  /** Shows the broker's transactions in this process's JMX server, until {@link #close}. */
  public static TransactionManagement register(Engine engine, int port) {
    try {
      ObjectName name = new ObjectName("io.metaq:type=Transactions,port=" + port);
      TransactionManagement management = new TransactionManagement(engine, name);
      ManagementFactory.getPlatformMBeanServer().registerMBean(management, name);
      return management;
    } catch (MalformedObjectNameException impossible) {
      throw new IllegalStateException(impossible);
    } catch (JMException refused) {
      throw new IllegalStateException(
          "the transactions of the broker on port " + port + " cannot be shown in JMX", refused);
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "active", TransactionFigures::active, "branches that are not prepared");
    gauge(registry, "local", TransactionFigures::local, "open local transactions");
    gauge(registry, "prepared", TransactionFigures::prepared, "branches that wait for the end");
    gauge(
        registry,
        "prepared.oldest.age",
        figures -> figures.oldestPreparedMillis() / 1000.0,
        "how long the oldest prepared branch has waited, in seconds");
    gauge(
        registry,
        "heuristic",
        TransactionFigures::heuristic,
        "decisions of operators that no coordinator has forgotten");
  }

  private void gauge(
      MeterRegistry registry,
      String figure,
      ToDoubleFunction<TransactionFigures> value,
      String description) {
    Gauge.builder("metaq.transactions." + figure, () -> value.applyAsDouble(figures()))
        .description(description)
        .register(registry);
  }

  private TransactionFigures figures() {
    return closed ? NONE : await(engine.transactions());
  }

  @Override
  public int getLocal() {
    return figures().local();
  }

  @Override
  public int getActive() {
    return figures().active();
  }

  @Override
  public int getPrepared() {
    return figures().prepared();
  }

  @Override
  public long getOldestPreparedAgeMillis() {
    return figures().oldestPreparedMillis();
  }

  @Override
  public int getHeuristic() {
    return figures().heuristic();
  }

  @Override
  public List<Map<String, String>> list() {
    return await(engine.administer("tx.list", List.of())).rows();
  }

  @Override
  public void commit(String xid) {
    await(engine.administer("tx.commit", List.of(xid)), COMMIT_PATIENCE_SECONDS);
  }

  @Override
  public void rollback(String xid) {
    await(engine.administer("tx.rollback", List.of(xid)));
  }

  @Override
  public void forget(String xid) {
    await(engine.administer("tx.forget", List.of(xid)));
  }

  private static <T> T await(CompletableFuture<T> answer) {
    return await(answer, PATIENCE_SECONDS);
  }

  private static <T> T await(CompletableFuture<T> answer, int seconds) {
    try {
      return answer.get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the broker", e);
    } catch (ExecutionException refused) {
      throw new IllegalArgumentException(refused.getCause().getMessage(), refused.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the broker did not answer within " + seconds + " seconds", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException gone) {
      LOG.debug("{} was not in the JMX server any more", name, gone);
    }
  }
}
