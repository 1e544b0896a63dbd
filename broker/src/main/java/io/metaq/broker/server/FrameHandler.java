package io.metaq.broker.server;

import io.metaq.broker.engine.Inbound;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binary protocol of one connection: cuts the stream into frames, each length checked before
 * anything is kept for it, and hands them to the engine without a copy.
 */
final class FrameHandler extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(FrameHandler.class);
  private static final int LENGTH_FIELD = 4;

  private final Connections connections;
  private final Inbound engine;
  private Connection connection;
  private boolean gone;

  FrameHandler(Connections connections, Inbound engine) {
    this.connections = connections;
    this.engine = engine;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    connection = connections.opened(context.channel(), () -> resume(context));
    engine.connected(connection.id(), String.valueOf(context.channel().remoteAddress()));
  }

  private void resume(ChannelHandlerContext context) {
    if (!gone && !connection.isClosing()) {
      try {
        channelRead(context, Unpooled.EMPTY_BUFFER);
      } catch (Exception e) {
        exceptionCaught(context, e);
      }
    }
  }

  boolean isLoggedIn() {
    return connection.isLoggedIn();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    connection.received();
    try {
      while (!connection.isClosing()
          && !connection.isPaused()
          && in.readableBytes() >= LENGTH_FIELD) {
        int start = in.readerIndex();
        int bound =
            connection.isLoggedIn() ? FrameCodec.MAX_FRAME : FrameCodec.MAX_FRAME_BEFORE_LOGIN;
        int length = FrameCodec.checkLength(in.getInt(start), bound);
        if (in.readableBytes() < LENGTH_FIELD + length) {
          return;
        }
        Envelope envelope = FrameCodec.decode(in.nioBuffer(start + LENGTH_FIELD, length));
        in.skipBytes(LENGTH_FIELD + length);
        engine.frame(connection.id(), envelope.correlation(), envelope.frame());
      }
      if (connection.isClosing()) {
        in.skipBytes(in.readableBytes());
      }
    } catch (WireException e) {
      in.skipBytes(in.readableBytes());
      LOG.info("{} sent no valid frame: {}", context.channel().remoteAddress(), e.getMessage());
      connection.close(ErrorCode.PROTOCOL, e.getMessage());
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    boolean writable = context.channel().isWritable();
    connection.writabilityChanged(writable);
    engine.writable(connection.id(), writable);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    gone();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    super.channelInactive(context);
    gone();
  }

  private void gone() {
    if (!gone) {
      gone = true;
      connections.closed(connection);
      engine.disconnected(connection.id());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("{} broke off: {}", context.channel().remoteAddress(), cause.toString());
      context.close();
    } else {
      LOG.error(
          "connection {} of {} failed", connection.id(), context.channel().remoteAddress(), cause);
      connection.close(ErrorCode.INTERNAL, "the broker failed on this connection: " + cause);
    }
  }
}
