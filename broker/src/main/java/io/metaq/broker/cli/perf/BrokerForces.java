package io.metaq.broker.cli.perf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Asks a MetaQ broker, over its line protocol, how often its journal was forced. Answers nothing
 * for other providers, or where the line protocol is closed to us.
 */
final class BrokerForces {

  private static final String KEY = "journal_forces ";
  private static final int TIMEOUT_MS = 3000;

  private final String url;

  BrokerForces(String url) {
    this.url = url;
  }

  OptionalLong read() {
    if (!url.startsWith("metaq://")) {
      return OptionalLong.empty();
    }
    String first = url.split("[,?]", 2)[0];
    URI address = URI.create(first);
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write("stats\r\n".getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String line;
      while ((line = answer.readLine()) != null && !line.equals("END")) {
        if (line.startsWith(KEY)) {
          return OptionalLong.of(Long.parseLong(line.substring(KEY.length()).strip()));
        }
      }
      return OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty(); // a figure less in the report, no reason to fail the run
    }
  }
}
