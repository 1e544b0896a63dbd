package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Figure;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs one stream: opens its connections, measures, waits for what is under way, and closes. */
final class Flow {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(15);

  private final Provider provider;
  private final FlowPlan plan;
  private final String destination;
  private final Meter meter = new Meter();
  private final List<Connection> connections = new ArrayList<>();
  private final List<FlowReceiver> receivers = new ArrayList<>();
  private final List<FlowSender> senders = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  Flow(Provider provider, FlowPlan plan, String destination) {
    this.provider = provider;
    this.plan = plan;
    this.destination = destination;
  }

  void run(Timing timing, Outlet outlet) throws Exception {
    try {
      open();
      meter.measure(timing, outlet);
      senders.forEach(FlowSender::stop);
      for (Thread thread : threads) {
        thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
      }
      awaitTheRest();
      for (FlowReceiver receiver : receivers) {
        receiver.stop();
      }
      outlet.figure(Figure.UNDELIVERED, meter.sentInAll() * plan.fan() - meter.receivedInAll());
      meter.failure().ifPresent(outlet::failed);
    } finally {
      senders.forEach(FlowSender::stop);
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private void open() throws JMSException {
    for (int i = 0; i < plan.receivers(); i++) {
      Connection connection = connect();
      receivers.add(new FlowReceiver(plan, i, connection, destination, meter));
      connection.start();
    }
    for (int i = 0; i < plan.senders(); i++) {
      senders.add(new FlowSender(plan, i, connect(), destination, meter));
    }
    receivers.forEach(FlowReceiver::start);
    for (FlowSender sender : senders) {
      Thread thread = new Thread(sender, "sender " + threads.size());
      threads.add(thread);
      thread.start();
    }
  }

  private Connection connect() throws JMSException {
    Connection connection = provider.factory().createConnection();
    connections.add(connection);
    return connection;
  }

  private void awaitTheRest() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE;
    while (meter.receivedInAll() < meter.sentInAll() * plan.fan() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }
}
