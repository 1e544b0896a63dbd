package io.metaq.transport;

/** Where a broker listens. */
public record BrokerAddress(String host, int port) {
  public static final int DEFAULT_PORT = 8123;

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
