package io.metaq.tck.transactions;

import io.metaq.broker.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A broker in a process of its own, for tests that give it little memory. A line on standard input
 * makes it say its statistics, and how much heap is in use after a collection.
 *
 * <p>Arguments: {@code <data directory>}.
 */
public final class SmallHeapBroker {
  private SmallHeapBroker() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(Path.of(arguments[0])).start();
    System.out.println("READY " + broker.url());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.gc();
      for (String stat : broker.stats()) {
        System.out.println(line + " " + stat);
      }
      System.out.println(
          line
              + " heap "
              + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024);
    }
  }
}
