package io.metaq.tck.peers.process;

import io.metaq.tck.peers.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One product in the run: its broker, its load generator, and what a step costs both. */
public final class Contender {

  /** A send in the slower mode of Artemis waits for most of its timer's 3.3 ms. */
  private static final double WAITS_FOR_THE_TIMER_MICROS = 2_500;

  private static final String SHORT_STREAM = "W1 2 1";
  private static final int STARTS = 10;

  private final Product product;
  private final Path project;
  private final BrokerProcess broker;
  private LoadProcess load;

  /** Nothing runs yet. */
  public Contender(Product product, Path project, Path data) throws IOException {
    this.product = product;
    this.project = project;
    this.broker = new BrokerProcess(product, project, data);
  }

  /**
   * What a step brought.
   *
   * @param figures as far as it came
   * @param failure why it ended early
   */
  public record Outcome(Map<Figure, Double> figures, Optional<String> failure) {}

  public Product product() {
    return product;
  }

  public BrokerProcess broker() {
    return broker;
  }

  /**
   * Starts both processes. Artemis measures its own timer at the start and then runs in one of two
   * modes, of which one waits for it before each force; it is started until it runs in the faster
   * one.
   */
  public void start() throws IOException, InterruptedException {
    startOnce();
    if (product == Product.ARTEMIS) {
      for (int i = 1; i < STARTS && waitsForItsTimer(); i++) {
        restart();
      }
    }
  }

  private boolean waitsForItsTimer() throws IOException {
    double half =
        step(SHORT_STREAM).figures().getOrDefault(Figure.SEND_P50, Double.POSITIVE_INFINITY);
    return half > WAITS_FOR_THE_TIMER_MICROS;
  }

  private void restart() throws IOException, InterruptedException {
    broker.stop();
    startOnce();
  }

  private void startOnce() throws IOException, InterruptedException {
    broker.start();
    broker.awaitPort();
    ensureLoad();
  }

  /** Ends the broker and deletes its data; it starts anew when it is needed. */
  public void forget() throws IOException, InterruptedException {
    broker.forget();
  }

  /** Brings back what has ended since. */
  public void ensureRunning() throws IOException, InterruptedException {
    if (!broker.isAlive()) {
      start();
    }
    ensureLoad();
  }

  private void ensureLoad() throws IOException {
    if (load == null || !load.isAlive()) {
      load = LoadProcess.start(product, project, broker);
    }
  }

  /** Has the load generator do a step. */
  public Outcome step(String step) throws IOException {
    Accounts accounts = new Accounts();
    Optional<String> failure = load.run(step, accounts);
    accounts.perMessage();
    return new Outcome(accounts.figures, failure);
  }

  /** Ends both processes. */
  public void end() throws InterruptedException {
    if (load != null) {
      load.end();
    }
    broker.stop();
  }

  private final class Accounts implements LoadProcess.Listener {
    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    private Usage before;
    private Usage after;

    @Override
    public void opened() throws IOException {
      before = Usage.now(broker, load);
    }

    @Override
    public void closed() throws IOException {
      after = Usage.now(broker, load);
    }

    @Override
    public void figure(Figure figure, double value) {
      figures.put(figure, value);
    }

    void perMessage() {
      double messages = figures.getOrDefault(Figure.MESSAGES, 0.0);
      if (before == null || after == null || messages == 0) {
        return;
      }
      figures.put(
          Figure.BROKER_CPU, after.broker().minus(before.broker()).toNanos() / 1e3 / messages);
      figures.put(
          Figure.CLIENT_CPU, after.client().minus(before.client()).toNanos() / 1e3 / messages);
      if (before.forces().isPresent() && after.forces().isPresent()) {
        figures.put(
            Figure.FORCES, (after.forces().getAsLong() - before.forces().getAsLong()) / messages);
      }
    }
  }
}
