package io.metaq.broker.cli;

import io.metaq.broker.cli.perf.LoadPlan;
import io.metaq.broker.cli.perf.LoadResult;
import io.metaq.broker.cli.perf.LoadRun;
import io.metaq.broker.cli.perf.Progress;
import io.metaq.broker.cli.perf.Provider;
import jakarta.jms.Session;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaq perf}: sends and receives at full speed through any JMS provider and reports. */
@Command(
    name = "perf",
    description = "Measure a JMS provider: rates, times, CPU and forces per message.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class PerfCommand implements Callable<Integer> {

  /** How receivers outside transactions acknowledge. */
  enum Acknowledge {
    auto(Session.AUTO_ACKNOWLEDGE),
    client(Session.CLIENT_ACKNOWLEDGE),
    dups(Session.DUPS_OK_ACKNOWLEDGE);

    private final int mode;

    Acknowledge(int mode) {
      this.mode = mode;
    }
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--factory",
      paramLabel = "CLASS",
      description = "connection factory of the provider")
  private String factory = "io.metaq.jms.MetaqConnectionFactory";

  @Option(names = "--url", description = "given to the factory's constructor")
  private String url = "metaq://localhost:8123";

  @Option(names = "--user", description = "user to log in as")
  private String user;

  @Option(
      names = "--password",
      interactive = true,
      arity = "0..1",
      description = "asked for when no value follows")
  private String password;

  @Option(names = "--destination", paramLabel = "NAME", description = "queue or topic to use")
  private String destination = "perf";

  @Option(names = "--topic", description = "use a topic: every receiver gets every message")
  private boolean topic;

  @Option(names = "--senders", description = "sending connections")
  private int senders = 1;

  @Option(names = "--receivers", description = "receiving connections")
  private int receivers = 1;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description = "bytes of a message body, at least 8")
  private int size = 1024;

  @Option(names = "--non-persistent", description = "send non-persistent messages")
  private boolean nonPersistent;

  @Option(
      names = "--async",
      paramLabel = "N",
      description = "send asynchronously, N outstanding; 0: wait for each")
  private int async;

  @Option(names = "--batch", paramLabel = "N", description = "transactions of N messages; 0: none")
  private int batch;

  @Option(names = "--acknowledge", paramLabel = "MODE", description = "${COMPLETION-CANDIDATES}")
  private Acknowledge acknowledge = Acknowledge.auto;

  @Option(names = "--backlog", paramLabel = "N", description = "messages that may be under way")
  private int backlog = 10_000;

  @Option(names = "--warmup", paramLabel = "SECONDS", description = "time before measuring")
  private int warmup = 5;

  @Option(names = "--seconds", paramLabel = "SECONDS", description = "time of measuring")
  private int seconds = 10;

  @Option(
      names = "--broker-pid",
      paramLabel = "PID",
      description = "local broker process, for its CPU time")
  private Long brokerPid;

  @Override
  public Integer call() throws Exception {
    LoadPlan plan = plan();
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s%n%s%n", plan.provider(), describe(plan));
    LoadResult result = new LoadRun(plan, new Progress(out, System.console() != null)).run();
    print(out, plan, result);
    return result.undelivered() == 0 ? 0 : 1;
  }

  private LoadPlan plan() {
    check(
        senders >= 0 && receivers >= 0 && senders + receivers > 0,
        "--senders or --receivers must be 1 or more");
    check(size >= Long.BYTES, "--size must be at least 8");
    check(
        async >= 0 && batch >= 0 && (async == 0 || batch == 0),
        "--async and --batch exclude each other");
    check(
        seconds > 0 && warmup >= 0 && backlog > 0,
        "--seconds and --backlog must be above 0, --warmup not below");
    return new LoadPlan(
        new Provider(factory, url, Optional.ofNullable(user), Optional.ofNullable(password)),
        destination,
        topic,
        senders,
        receivers,
        size,
        !nonPersistent,
        async,
        batch,
        acknowledge.mode,
        backlog,
        Duration.ofSeconds(warmup),
        Duration.ofSeconds(seconds),
        Optional.ofNullable(brokerPid));
  }

  private void check(boolean right, String otherwise) {
    if (!right) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private static String describe(LoadPlan plan) {
    return "%d senders, %d receivers, %s '%s', %,d bytes, %s, %s"
        .formatted(
            plan.senders(),
            plan.receivers(),
            plan.topic() ? "topic" : "queue",
            plan.destination(),
            plan.size(),
            plan.persistent() ? "persistent" : "non-persistent",
            plan.async() > 0
                ? "asynchronous, " + plan.async() + " outstanding"
                : plan.batch() > 0 ? "transactions of " + plan.batch() : "one by one");
  }

  private static void print(PrintWriter out, LoadPlan plan, LoadResult result) {
    double seconds = result.elapsed().toNanos() / 1e9;
    long messages = Math.max(1, plan.senders() > 0 ? result.sent() : result.received());
    out.printf("%nsent       %,12.0f/s%n", result.sent() / seconds);
    out.printf("received   %,12.0f/s%n", result.received() / seconds);
    times(out, plan.batch() > 0 ? "commit" : "send", result.sendTimes());
    times(out, "end to end", result.journeyTimes());
    out.printf(
        "client CPU %12.1f us per message%n",
        result.usage().clientCpu().toNanos() / 1e3 / messages);
    result
        .usage()
        .brokerCpu()
        .ifPresent(
            cpu ->
                out.printf("broker CPU %12.1f us per message%n", cpu.toNanos() / 1e3 / messages));
    result
        .usage()
        .forces()
        .ifPresent(
            forces -> out.printf("forces     %12.3f per message%n", (double) forces / messages));
    if (result.undelivered() > 0) {
      out.printf("NOT DELIVERED: %,d messages%n", result.undelivered());
    }
    out.flush();
  }

  private static void times(PrintWriter out, String what, Histogram times) {
    if (times.getTotalCount() > 0) {
      out.printf(
          "%-10s %12.3f ms p50, %.3f p90, %.3f p99, %.3f p99.9, %.3f max%n",
          what,
          times.getValueAtPercentile(50) / 1e6,
          times.getValueAtPercentile(90) / 1e6,
          times.getValueAtPercentile(99) / 1e6,
          times.getValueAtPercentile(99.9) / 1e6,
          times.getMaxValue() / 1e6);
    }
  }
}
