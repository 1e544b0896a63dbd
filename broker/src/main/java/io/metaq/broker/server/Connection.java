package io.metaq.broker.server;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One client of the binary protocol: its outgoing bytes of this turn, and whether it keeps up with
 * them. Reading stops for one client when it leaves its answers unread (it could otherwise ask
 * without end), and for all when the engine says so.
 */
final class Connection {
  private static final int FIRST_BUFFER = 1024;

  private final int id;
  private final Channel channel;
  private final Output output;
  private final ServerSettings settings;
  private final Runnable resume;
  private ByteBuf pending;
  private boolean loggedIn;
  private boolean closing;
  private boolean pausedForAll;
  private boolean pausedForItself;
  private boolean pausedOnDemand;
  private ScheduledFuture<?> stuck;
  private int heartbeatMillis;
  private long lastRead;
  private long lastSent;

  /**
   * @param resume serves what had been read when reading was paused
   */
  Connection(int id, Channel channel, Output output, ServerSettings settings, Runnable resume) {
    this.id = id;
    this.channel = channel;
    this.output = output;
    this.settings = settings;
    this.resume = resume;
    this.lastRead = System.nanoTime();
    this.lastSent = lastRead;
  }

  int id() {
    return id;
  }

  boolean isLoggedIn() {
    return loggedIn;
  }

  boolean isClosing() {
    return closing;
  }

  /**
   * @return whether the connection has to be flushed from now on
   */
  boolean send(int correlation, Frame frame) {
    if (closing || !channel.isActive()) {
      return false;
    }
    boolean first = pending == null;
    if (first) {
      pending = channel.alloc().ioBuffer(FIRST_BUFFER);
    }
    output.encode(correlation, frame, pending);
    if (frame instanceof Welcome welcome) {
      loggedIn = true;
      heartbeatMillis = welcome.heartbeatMillis();
    }
    return first;
  }

  void received() {
    lastRead = System.nanoTime();
  }

  /**
   * Called now and then. A client that we keep from sending is not blamed for its silence.
   *
   * @return whether a heart-beat is due
   */
  boolean beat(long now) {
    if (!loggedIn || closing || heartbeatMillis <= 0) {
      return false;
    }
    long silence = TimeUnit.NANOSECONDS.toMillis(now - lastRead);
    if (!channel.config().isAutoRead()) {
      lastRead = now;
    } else if (silence > 3L * heartbeatMillis) {
      close(ErrorCode.CLOSING, "nothing was heard from this client for " + silence + " ms");
      return false;
    }
    return TimeUnit.NANOSECONDS.toMillis(now - lastSent) > heartbeatMillis / 2;
  }

  void flush() {
    if (pending != null) {
      lastSent = System.nanoTime();
      ByteBuf bytes = pending;
      pending = null;
      channel.writeAndFlush(bytes, channel.voidPromise());
      judgeReading();
    }
  }

  void close(ErrorCode code, String why) {
    if (closing) {
      return;
    }
    send(0, new Failure(code, why));
    closing = true;
    channel.config().setAutoRead(false);
    ByteBuf bytes = pending;
    pending = null;
    if (bytes == null) {
      channel.close();
    } else {
      channel.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
      channel.eventLoop().schedule(() -> channel.close(), 5, TimeUnit.SECONDS);
    }
  }

  void pauseForAll(boolean paused) {
    pausedForAll = paused;
    applyReading();
  }

  void pauseOnDemand(boolean paused) {
    pausedOnDemand = paused;
    applyReading();
  }

  /** Called when bytes were queued for the socket or left it. */
  void judgeReading() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    boolean pause = buffer != null && buffer.totalPendingWriteBytes() > settings.writeLimit();
    if (pause != pausedForItself) {
      pausedForItself = pause;
      applyReading();
    }
  }

  boolean isPaused() {
    return pausedForAll || pausedForItself || pausedOnDemand;
  }

  private void applyReading() {
    if (!closing) {
      boolean resumed = !isPaused() && !channel.config().isAutoRead();
      channel.config().setAutoRead(!isPaused());
      if (resumed) {
        channel.eventLoop().execute(resume);
      }
    }
  }

  /** The outgoing buffer is over its mark, or below again. */
  void writabilityChanged(boolean writable) {
    judgeReading();
    if (writable) {
      if (stuck != null) {
        stuck.cancel(false);
        stuck = null;
      }
    } else if (stuck == null) {
      watchProgress();
    }
  }

  private void watchProgress() {
    long before = channel.bytesBeforeWritable();
    stuck =
        channel
            .eventLoop()
            .schedule(
                () -> {
                  stuck = null;
                  if (channel.isActive() && !channel.isWritable()) {
                    if (channel.bytesBeforeWritable() >= before) {
                      closing = true;
                      channel.close();
                    } else {
                      watchProgress();
                    }
                  }
                },
                settings.stuckTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  void closed() {
    closing = true;
    if (stuck != null) {
      stuck.cancel(false);
    }
    if (pending != null) {
      pending.release();
      pending = null;
    }
  }
}
