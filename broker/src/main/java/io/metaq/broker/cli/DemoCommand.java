package io.metaq.broker.cli;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.broker.cluster.BrokerRegistration;
import io.metaq.broker.cluster.LocalZooKeeper;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code metaq demo}: a broker with everything embedded, a few messages through it, and what to do
 * next. Stops what it started unless asked to keep it.
 */
@Command(
    name = "demo",
    description = "Start a broker, send and receive a few messages, say what happened.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  private static final int MESSAGES = 10;
  private static final long PATIENCE_MS = 10_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "where the data stands (default: metaq-data)")
  private Path data = Path.of("metaq-data");

  @Option(names = "--port", description = "port to serve on (default: any free one)")
  private int port;

  @Option(names = "--keep", description = "leave the broker running until Ctrl-C")
  private boolean keep;

  @Override
  public Integer call() throws Exception {
    Path folder = data.toAbsolutePath().normalize();
    Map<String, String> settings =
        Map.of(
            "dataPath",
            folder.toString(),
            "serverPort",
            String.valueOf(port),
            "zk.server.port",
            "0");
    BrokerConfig config = ServerIni.parse("", folder, settings);
    try (EmbeddedBroker broker = EmbeddedBroker.builder().config(config).start();
        LocalZooKeeper zookeeper = LocalZooKeeper.start(config.zookeeper().localDirectory(), 0);
        BrokerRegistration registration =
            BrokerRegistration.register(config, zookeeper.connectString(), broker.port())) {
      say("A broker serves on %s; its data stands in %s.", broker.url(), folder);
      say(
          "Its ZooKeeper, in the same process, is %s (%s).",
          zookeeper.connectString(), registration.path());
      exchange(broker.url());
      if (keep) {
        say("%nThe broker goes on until Ctrl-C.");
        Thread.currentThread().join();
      }
    }
    say("The broker has ended; nothing is left running.");
    next(folder);
    return 0;
  }

  private void exchange(String url) throws JMSException {
    try (JMSContext context = new MetaqConnectionFactory(url).createContext()) {
      context.setClientID("demo");
      Topic prices = context.createTopic("prices");
      Queue orders = context.createQueue("orders");
      JMSConsumer first = context.createSharedDurableConsumer(prices, "audit");
      for (int i = 1; i <= MESSAGES; i++) {
        context.createProducer().setProperty("number", i).send(orders, "order " + i);
      }
      say(
          "%nSent %d persistent messages to queue 'orders'; each was on disk before send() returned.",
          MESSAGES);
      receive(
          context.createConsumer(orders, "number > 7"),
          "from 'orders', by the selector number > 7",
          3);
      receive(context.createConsumer(orders), "from 'orders', the rest", MESSAGES - 3);
      context.createProducer().send(prices, "42.17");
      receive(first, "from topic 'prices', by the durable subscription 'audit'", 1);
      context.unsubscribe("audit");
    }
  }

  private void receive(JMSConsumer from, String what, int count) throws JMSException {
    StringBuilder texts = new StringBuilder();
    for (int i = 0; i < count; i++) {
      Message message = from.receive(PATIENCE_MS);
      if (message == null) {
        throw new JMSException("only " + i + " of " + count + " messages came " + what);
      }
      texts.append(i == 0 ? "" : ", ").append(message.getBody(String.class));
    }
    from.close();
    say("Received %d %s: %s.", count, what, texts);
  }

  private void next(Path folder) {
    say("%nNext:");
    say("  bin/metaServer.sh start local   a broker in the background (stop, status, stats, help)");
    say("  bin/metaq perf                  how fast it is here");
    say("  docs/configuration.md           every setting of conf/server.ini");
    say("  rm -r %s   what this run left on disk", folder);
  }

  private void say(String format, Object... arguments) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(format + "%n", arguments);
    out.flush();
  }
}
