package io.metaq.broker.server;

import io.metaq.broker.engine.Inbound;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MetaQ's line protocol, as far as operators use it with telnet: {@code stats}, {@code version},
 * {@code help}, {@code quit}. A line is one request, its fields divided by single spaces, ended by
 * a line feed with or without a carriage return.
 */
final class LineHandler extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(LineHandler.class);
  private static final int LONGEST_LINE = 4096;
  private static final String NO_OPAQUE = String.valueOf(Integer.MAX_VALUE);
  private static final String HELP =
      "stats [topic]  figures of the broker or of one topic\r\n"
          + "version        version of the broker\r\n"
          + "help           this text\r\n"
          + "quit           closes the connection\r\n";

  private final String version;
  private final Inbound engine;

  LineHandler(String version, Inbound engine) {
    this.version = version;
    this.engine = engine;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int end = in.bytesBefore((byte) '\n');
    if (end > LONGEST_LINE || end < 0 && in.readableBytes() > LONGEST_LINE) {
      in.skipBytes(in.readableBytes());
      refuse(context, NO_OPAQUE, "a line is longer than " + LONGEST_LINE + " bytes");
      return;
    }
    if (end < 0) {
      return;
    }
    String line = in.readCharSequence(end, StandardCharsets.UTF_8).toString();
    in.skipBytes(1);
    answer(context, line.endsWith("\r") ? line.substring(0, line.length() - 1) : line, in);
  }

  private void answer(ChannelHandlerContext context, String line, ByteBuf in) {
    String[] fields = line.split(" ", -1);
    switch (fields[0]) {
      case "stats" -> reply(context, 200, field(fields, 2, NO_OPAQUE), stats(field(fields, 1, "")));
      case "version" -> reply(context, 200, field(fields, 1, NO_OPAQUE), version);
      case "help" -> reply(context, 200, NO_OPAQUE, HELP);
      case "quit" -> {
        in.skipBytes(in.readableBytes());
        context.close();
      }
      case "" -> {
        // an empty line is what a person types to see whether anyone is there
      }
      default -> {
        in.skipBytes(in.readableBytes());
        refuse(context, NO_OPAQUE, "unknown command; try help");
      }
    }
  }

  private static String field(String[] fields, int index, String otherwise) {
    return index < fields.length && !fields[index].isEmpty() ? fields[index] : otherwise;
  }

  private String stats(String item) {
    if (item.equals("help")) {
      return HELP;
    }
    StringBuilder text = new StringBuilder("STATS\r\n");
    engine.statistics(item).forEach(line -> text.append(line).append("\r\n"));
    return text.append("END\r\n").toString();
  }

  private static void reply(ChannelHandlerContext context, int code, String opaque, String body) {
    context.writeAndFlush(result(context, code, opaque, body));
  }

  private static void refuse(ChannelHandlerContext context, String opaque, String why) {
    context
        .writeAndFlush(result(context, 400, opaque, why))
        .addListener(ChannelFutureListener.CLOSE);
  }

  private static ByteBuf result(
      ChannelHandlerContext context, int code, String opaque, String body) {
    ByteBuf text =
        ByteBufUtil.encodeString(
            context.alloc(), java.nio.CharBuffer.wrap(body), StandardCharsets.UTF_8);
    String head = "result " + code + " " + text.readableBytes() + " " + opaque + "\r\n";
    return Unpooled.wrappedBuffer(Unpooled.copiedBuffer(head, StandardCharsets.UTF_8), text);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("{} broke off: {}", context.channel().remoteAddress(), cause.toString());
    context.close();
  }
}
