package io.metaq.broker.server;

import io.metaq.broker.engine.Network;
import io.metaq.wire.ConnectionFrames.Heartbeat;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All clients of the binary protocol, by number; the engine's way out. Loop thread only. */
final class Connections implements Network {
  private final ServerSettings settings;
  private final Output output = new Output();
  private final Map<Integer, Connection> byId = new HashMap<>();
  private List<Connection> toFlush = new ArrayList<>();
  private List<Connection> flushing = new ArrayList<>();
  private int lastId;
  private boolean paused;

  Connections(ServerSettings settings) {
    this.settings = settings;
  }

  Connection opened(Channel channel, Runnable resume) {
    Connection connection = new Connection(++lastId, channel, output, settings, resume);
    byId.put(connection.id(), connection);
    connection.pauseForAll(paused);
    return connection;
  }

  void closed(Connection connection) {
    byId.remove(connection.id());
    connection.closed();
  }

  int count() {
    return byId.size();
  }

  @Override
  public void send(int connection, int correlation, Frame frame) {
    Connection to = byId.get(connection);
    if (to != null && to.send(correlation, frame)) {
      toFlush.add(to);
    }
  }

  @Override
  public void flush() {
    while (!toFlush.isEmpty()) {
      List<Connection> now = toFlush;
      toFlush = flushing;
      flushing = now;
      now.forEach(Connection::flush);
      now.clear();
    }
  }

  @Override
  public void close(int connection, ErrorCode code, String why) {
    Connection to = byId.get(connection);
    if (to != null) {
      to.close(code, why);
    }
  }

  @Override
  public void pauseReading(int connection, boolean pause) {
    Connection to = byId.get(connection);
    if (to != null) {
      to.pauseOnDemand(pause);
    }
  }

  @Override
  public void pauseReading(boolean pause) {
    paused = pause;
    byId.values().forEach(connection -> connection.pauseForAll(pause));
  }

  /** Sends heart-beats where they are due and cuts off who has fallen silent. */
  void beat() {
    long now = System.nanoTime();
    for (Connection connection : List.copyOf(byId.values())) {
      if (connection.beat(now) && connection.send(0, Heartbeat.INSTANCE)) {
        toFlush.add(connection);
      }
    }
    flush();
  }

  void closeAll(ErrorCode code, String why) {
    List.copyOf(byId.values()).forEach(connection -> connection.close(code, why));
  }
}
