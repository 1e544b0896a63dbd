package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Figure;
import java.io.PrintStream;

/**
 * Tells the harness, a line each: when the window of measuring opens and closes, and the figures.
 */
final class Outlet {

  private final PrintStream out;

  Outlet(PrintStream out) {
    this.out = out;
  }

  void ready() {
    line("ready");
  }

  void opened() {
    line("opened");
  }

  void closed() {
    line("closed");
  }

  void figure(Figure figure, double value) {
    line("figure " + figure + " " + value);
  }

  void failed(Throwable cause) {
    line("failed " + cause.toString().replaceAll("\\R", " "));
  }

  void done() {
    line("done");
  }

  private synchronized void line(String text) {
    out.println(text);
    out.flush();
  }
}
