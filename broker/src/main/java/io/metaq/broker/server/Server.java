package io.metaq.broker.server;

import io.metaq.broker.engine.Inbound;
import io.metaq.broker.engine.Network;
import io.metaq.wire.ErrorCode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The port: one event loop that owns all sockets, and on which the engine runs too, since handing
 * every message over to another thread costs more than the core's work on it.
 */
public final class Server implements AutoCloseable {
  private static final int BEAT_MILLIS = 500;

  private final ServerSettings settings;
  private final Connections connections;
  private final MultiThreadIoEventLoopGroup group;
  private final EventLoop loop;
  private final ChannelGroup open;
  private Channel listening;

  /** Creates the loop; nothing is listened on before {@link #listen}. */
  public Server(ServerSettings settings) {
    this.settings = settings;
    this.connections = new Connections(settings);
    this.group =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("metaq-loop"),
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    this.loop = group.next();
    this.open = new DefaultChannelGroup(loop);
  }

  /** The one thread of sockets and core; its tasks run after the input of the same round. */
  public ScheduledExecutorService loop() {
    return loop;
  }

  /** The engine's way to the clients; to be used on the loop only. */
  public Network network() {
    return connections;
  }

  /**
   * Opens the port.
   *
   * @return the port listened on
   * @throws IOException if the address cannot be bound
   */
  public int listen(Inbound engine) throws IOException {
    Class<? extends ServerChannel> kind =
        Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(kind)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(settings.writeHighWater() / 2, settings.writeHighWater()))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    open.add(channel);
                    channel.pipeline().addLast(new ProtocolDetector(settings, connections, engine));
                  }
                });
    var bound = bootstrap.bind(settings.bindAddress(), settings.port()).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen on "
              + settings.bindAddress()
              + ":"
              + settings.port()
              + ": "
              + bound.cause().getMessage(),
          bound.cause());
    }
    listening = bound.channel();
    loop.scheduleWithFixedDelay(connections::beat, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Takes no further connections, and closes those there are. */
  public void disconnectAll(String why) {
    if (listening != null) {
      listening.close().awaitUninterruptibly();
    }
    loop.submit(() -> connections.closeAll(ErrorCode.CLOSING, why)).awaitUninterruptibly();
  }

  /** Ends the loop; connections still open are cut. */
  @Override
  public void close() {
    if (listening != null) {
      // Before the loop ends: a connection that comes in just then can keep the port otherwise.
      listening.close().awaitUninterruptibly();
    }
    // A loop that is told to end between two looks at its sockets leaves them open.
    open.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
