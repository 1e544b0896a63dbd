package io.metaq.broker.server;

import io.metaq.broker.engine.Inbound;
import io.metaq.wire.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells by the first bytes of a connection which protocol it speaks, and puts that protocol's
 * handler in its own place. Stands apart because until then nothing is known, so that the bounds
 * are tightest: eight bytes, and the time to log in.
 */
final class ProtocolDetector extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(ProtocolDetector.class);

  private final ServerSettings settings;
  private final Connections connections;
  private final Inbound engine;
  private ScheduledFuture<?> deadline;

  ProtocolDetector(ServerSettings settings, Connections connections, Inbound engine) {
    this.settings = settings;
    this.connections = connections;
    this.engine = engine;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    deadline =
        context
            .executor()
            .schedule(
                () -> closeUnlessLoggedIn(context),
                settings.loginTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
    context.channel().closeFuture().addListener(closed -> deadline.cancel(false));
  }

  private void closeUnlessLoggedIn(ChannelHandlerContext context) {
    FrameHandler frames = context.pipeline().get(FrameHandler.class);
    boolean speaksLines = context.pipeline().get(LineHandler.class) != null;
    if (!speaksLines && (frames == null || !frames.isLoggedIn())) {
      LOG.info(
          "{} did not log in within {} ms and is cut off",
          context.channel().remoteAddress(),
          settings.loginTimeout().toMillis());
      context.channel().close();
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (!in.isReadable()) {
      return;
    }
    byte first = in.getByte(in.readerIndex());
    if (first == FrameCodec.PREFACE[0]) {
      detectPreface(context, in);
    } else if (first >= 'a' && first <= 'z' && !mayUseLines(context.channel().remoteAddress())) {
      refuse(
          context, in, "the line protocol is off beyond loopback unless lineProtocolUser is set");
    } else if (first >= 'a' && first <= 'z') {
      context.pipeline().addLast(new LineHandler(settings.version(), engine));
      context.pipeline().remove(this);
    } else {
      refuse(context, in, "its first byte is " + (first & 0xff));
    }
  }

  private boolean mayUseLines(SocketAddress peer) {
    return settings.linesFromAnywhere()
        || peer instanceof InetSocketAddress address && address.getAddress().isLoopbackAddress();
  }

  private void detectPreface(ChannelHandlerContext context, ByteBuf in) {
    int known = Math.min(in.readableBytes(), FrameCodec.PREFACE.length);
    for (int i = 0; i < known; i++) {
      if (in.getByte(in.readerIndex() + i) != FrameCodec.PREFACE[i]) {
        refuse(context, in, "its preface is of another version or none");
        return;
      }
    }
    if (known == FrameCodec.PREFACE.length) {
      in.skipBytes(known);
      context.pipeline().addLast(new FrameHandler(connections, engine));
      context.pipeline().remove(this);
    }
  }

  private static void refuse(ChannelHandlerContext context, ByteBuf in, String why) {
    LOG.info("{} speaks no protocol of this port: {}", context.channel().remoteAddress(), why);
    in.skipBytes(in.readableBytes());
    context.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("{} broke off: {}", context.channel().remoteAddress(), cause.toString());
    context.close();
  }
}
