package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Workload;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The process of a load generator. Each line of its input is a step and its numbers; what happened
 * goes to its output through {@link Outlet}. It ends with its input.
 */
public final class LoadMain {

  private final Provider provider;
  private final Outlet outlet;
  private int runs;

  private LoadMain(Provider provider, Outlet outlet) {
    this.provider = provider;
    this.outlet = outlet;
  }

  /**
   * Runs steps until the input ends.
   *
   * @param args class of the connection factory, of the XA connection factory, and the URL for both
   */
  public static void main(String[] args) throws Exception {
    Outlet outlet = new Outlet(System.out);
    System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
    LoadMain load = new LoadMain(new Provider(args[0], args[1], args[2]), outlet);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    outlet.ready();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      load.step(line.split(" "));
    }
    System.exit(0); // a provider may have left threads behind
  }

  private void step(String[] words) {
    try {
      run(words);
    } catch (Exception | OutOfMemoryError e) {
      e.printStackTrace();
      outlet.failed(e);
    }
    outlet.done();
  }

  private void run(String[] words) throws Exception {
    switch (words[0]) {
      case "fill" -> new Backlog(provider, words[1], outlet).fill(Long.parseLong(words[2]));
      case "first" -> new Backlog(provider, words[1], outlet).first(Long.parseLong(words[2]));
      case "drain" -> new Backlog(provider, words[1], outlet).drain(Long.parseLong(words[2]));
      case "queues" -> ManyQueues.make(provider, name("W11"), Integer.parseInt(words[1]), outlet);
      default ->
          stream(
              Workload.of(words[0]),
              new Timing(Double.parseDouble(words[1]), Double.parseDouble(words[2])));
    }
  }

  private void stream(Workload workload, Timing timing) throws Exception {
    String destination = name(workload.label());
    switch (workload) {
      case W7 -> new XaLoop(provider, 1, destination).run(timing, outlet);
      case W7X8 -> new XaLoop(provider, 8, destination).run(timing, outlet);
      case W12 -> LargeBodies.run(provider, destination, outlet);
      default -> new Flow(provider, FlowPlan.of(workload), destination).run(timing, outlet);
    }
  }

  /** A name no run before had, of this process or another. */
  private String name(String label) {
    runs++;
    return label + "." + ProcessHandle.current().pid() + "." + runs;
  }
}
