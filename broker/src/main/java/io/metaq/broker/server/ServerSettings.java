package io.metaq.broker.server;

import java.time.Duration;

/**
 * Bounds of the network side.
 *
 * @param bindAddress address listened on
 * @param port port listened on, 0 for any free one
 * @param linesFromAnywhere whether the line protocol, which knows no login, serves clients of other
 *     machines too
 * @param loginTimeout time a new connection has until its login has been accepted
 * @param writeHighWater bytes of unread output at which a client gets no further deliveries
 * @param writeLimit bytes of unread output at which nothing more is read from a client
 * @param stuckTimeout time after which a client that read none of its output is cut off
 * @param version what {@code version} answers
 */
public record ServerSettings(
    String bindAddress,
    int port,
    boolean linesFromAnywhere,
    Duration loginTimeout,
    int writeHighWater,
    int writeLimit,
    Duration stuckTimeout,
    String version) {

  /** The bounds a broker runs with. */
  public static ServerSettings of(
      String bindAddress, int port, boolean linesFromAnywhere, String version) {
    return new ServerSettings(
        bindAddress,
        port,
        linesFromAnywhere,
        Duration.ofSeconds(10),
        4 << 20,
        16 << 20,
        Duration.ofSeconds(60),
        version);
  }
}
