package io.metaq.broker.engine;

import io.metaq.broker.core.Adoption;
import io.metaq.broker.core.Core;
import io.metaq.broker.core.ReadResult;
import io.metaq.broker.core.TransactionFigures;
import io.metaq.broker.store.BodyRef;
import io.metaq.broker.store.Journal;
import io.metaq.broker.store.Journal.Demand;
import io.metaq.broker.store.JournalListener;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.RecordFormat.LargeBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the core: feeds it frames, time and results, and at the end of each burst of them sees to
 * the journal, the clients' output and the timers. Everything here happens on the loop; what takes
 * long happens elsewhere and comes back as a task.
 */
public final class Engine implements Inbound, JournalListener {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int WORK_STEPS = 2_000;
  private static final long RIDE_ALONG_MILLIS = 10;
  private static final long RETRY_MILLIS = 500;

  private final EngineParts parts;
  private final Core core;
  private final Journal journal;
  private final Gate gate;
  private final Network network;
  private final Loop loop;
  private final EngineClock clock;
  private final Login login;
  private final long maxUnwrittenBytes;
  private final Statistics statistics;
  private final HistoryTimes historyTimes;
  private final GroupPatience patience = new GroupPatience();
  private boolean turnQueued;
  private boolean inTurn;
  private boolean rideScheduled;
  private boolean retryScheduled;
  private boolean paused;
  private boolean stopped;

  /** The last checkpoint is taken: what is due from now on waits for the next start. */
  private boolean shutDown;

  private boolean checkpointFirst;
  private Runnable extentRead;
  private Runnable adopted;
  private long nextWake = Long.MAX_VALUE;

  Engine(EngineParts parts, Login login) {
    this.parts = parts;
    this.core = parts.core();
    this.journal = parts.journal();
    this.gate = parts.gate();
    this.network = parts.network();
    this.loop = parts.threads().loop();
    this.clock = parts.clock();
    this.login = login;
    this.statistics = new Statistics(parts);
    this.historyTimes = new HistoryTimes(parts, this::endOfBurst);
    this.maxUnwrittenBytes = parts.settings().maxUnwrittenBytes();
  }

  @Override
  public void connected(int connection, String peer) {
    if (!stopped) {
      core.connected(connection, peer, clock.now());
    }
  }

  @Override
  public void frame(int connection, int correlation, Frame frame) {
    if (stopped) {
      return;
    }
    if (frame instanceof Hello hello) {
      login.check(
          hello,
          refusal -> {
            if (refusal.isPresent()) {
              network.close(connection, ErrorCode.SECURITY, refusal.get());
            } else if (!stopped) {
              core.frame(connection, correlation, hello, clock.now());
              endOfBurst();
            }
          });
    } else {
      core.frame(connection, correlation, frame, clock.now());
      endOfBurst();
    }
  }

  @Override
  public void disconnected(int connection) {
    if (!stopped) {
      core.disconnected(connection, clock.now());
      endOfBurst();
    }
  }

  @Override
  public void writable(int connection, boolean writable) {
    if (!stopped) {
      core.writable(connection, writable, clock.now());
      endOfBurst();
    }
  }

  @Override
  public List<String> statistics(String item) {
    return statistics.lines(item);
  }

  void readDone(ReadResult result) {
    if (!stopped) {
      core.readDone(result, clock.now());
      endOfBurst();
    }
  }

  void answer(int connection, int correlation, Frame frame) {
    if (!stopped) {
      gate.sendNow(connection, correlation, frame);
      endOfBurst();
    }
  }

  void bodySealed(long token, BodyRef ref, String failure) {
    if (!stopped) {
      LargeBody body =
          ref == null ? null : new LargeBody(ref.fileId(), ref.length(), ref.checksum());
      core.bodySealed(token, body, failure, clock.now());
      endOfBurst();
    }
  }

  /** Something that clients may wait for went on. */
  void progressed() {
    if (!stopped) {
      endOfBurst();
    }
  }

  void extentRead(ByteBuffer bytes, String failure) {
    if (!stopped) {
      extentRead = () -> core.extentRead(bytes, failure, clock.now());
      endOfBurst();
    }
  }

  /** Committed messages go to their places no faster than the disk takes them. */
  private void placeExtent() {
    Runnable next = extentRead;
    if (next != null && unwrittenBytes() <= maxUnwrittenBytes / 2) {
      extentRead = null;
      next.run();
    }
  }

  void written(LogId log, long nextSequence) {
    if (!stopped) {
      core.written(log.destinationId(), log.partition(), nextSequence - 1);
      endOfBurst();
    }
  }

  void logTrouble(LogId log, String why) {
    if (!stopped) {
      core.partitionTrouble(log.destinationId(), log.partition(), why);
      if (why != null && !retryScheduled) {
        retryScheduled = true;
        loop.schedule(
            () -> {
              retryScheduled = false;
              parts.logWriter().retry();
            },
            RETRY_MILLIS);
      }
    }
  }

  /** Senders are refused for this reason, or, with null, no longer. */
  void storageTrouble(String why) {
    if (!stopped) {
      core.storageTrouble(why);
      endOfBurst();
    }
  }

  /**
   * The loop runs tasks after the input of all sockets that had some, so what they brought shares
   * one force and one write a socket.
   */
  private void endOfBurst() {
    if (!turnQueued && !inTurn) {
      turnQueued = true;
      loop.execute(this::turn);
    }
  }

  private void turn() {
    turnQueued = false;
    if (stopped || shutDown) {
      return;
    }
    inTurn = true;
    boolean more;
    try {
      long now = clock.now();
      core.tick(now);
      placeExtent();
      answerAdoption();
      more = core.work(WORK_STEPS, now);
      scheduleWake(core.nextTick(), now);
      demandForce();
      balance();
      parts.diskWatch().check();
      network.flush();
    } finally {
      inTurn = false;
    }
    if (more) {
      endOfBurst();
    }
  }

  private void scheduleWake(long wanted, long now) {
    if (wanted < nextWake) {
      nextWake = wanted;
      loop.schedule(
          () -> {
            if (nextWake == wanted) {
              nextWake = Long.MAX_VALUE;
            }
            endOfBurst();
          },
          Math.max(1, wanted - now));
    }
  }

  private void demandForce() {
    if (gate.isWaiting()) {
      if (patience.othersAreComing(gate.size())) {
        // Behind another look at the sockets, which a mere task would not be.
        loop.schedule(this::endOfBurst, 0);
      } else {
        journal.pump(Demand.FORCE);
      }
    }
    boolean unforced = journal.lastIndex() > journal.committedIndex();
    if (!rideScheduled && (unforced || parts.confirmations().isWaiting())) {
      rideScheduled = true;
      loop.schedule(this::forceWhatRodeAlong, RIDE_ALONG_MILLIS);
    }
  }

  /**
   * Entries that nobody waits for found no force to ride on; or the journal waits for disk space;
   * or what was acknowledged needed no entry, so that no force will confirm it.
   */
  private void forceWhatRodeAlong() {
    rideScheduled = false;
    if (stopped || shutDown) {
      return;
    }
    parts.confirmations().committed(journal.committedIndex());
    if (journal.lastIndex() > journal.committedIndex()) {
      journal.pump(Demand.FORCE);
    }
    endOfBurst();
  }

  /** Clients wait while the disk cannot follow, so that memory stays bounded. */
  private void balance() {
    long underWay = unwrittenBytes() + parts.bodies().bytesUnderWay();
    boolean pause = underWay > (paused ? maxUnwrittenBytes / 2 : maxUnwrittenBytes);
    if (pause != paused) {
      paused = pause;
      network.pauseReading(pause);
    }
  }

  private long unwrittenBytes() {
    return parts.logWriter().unwrittenBytes() + journal.queuedBytes();
  }

  @Override
  public void onForced(long index) {
    gate.release(index);
    parts.confirmations().committed(index);
    parts.logWriter().committed(index);
    parts.checkpoints().journalGrew();
    endOfBurst();
  }

  @Override
  public void onFatal(Throwable cause) {
    LOG.error(
        "the journal cannot be written; nothing is answered any more, the broker ends", cause);
    stop();
    parts.onFatal().accept(cause);
  }

  /** From here on nothing is done nor answered. Loop thread, or after its end. */
  public void stop() {
    stopped = true;
    gate.close();
    parts.checkpoints().abandon();
    parts.diskWatch().end();
    historyTimes.end();
  }

  /**
   * Recovery has put core and logs where the journal ends.
   *
   * @param damaged whether something of the journal was set aside, so that no later start may have
   *     to read across the gap
   */
  void recovered(boolean damaged) {
    checkpointFirst = damaged;
    core.recovered(clock.now());
    parts.checkpoints().schedule();
    historyTimes.start();
    if (parts.settings().reservedDiskBytes() > 0) {
      parts.diskWatch().start();
    }
    endOfBurst();
  }

  /** Whether a checkpoint has to be taken before anyone is served. */
  public boolean isCheckpointDue() {
    return checkpointFirst;
  }

  /** Deletes all destinations, subscriptions and branches, then completes. Any thread. */
  public CompletableFuture<Void> empty() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          core.empty(clock.now());
          gate.whenCommitted(journal.lastIndex(), () -> done.complete(null));
          endOfBurst();
        });
    return done;
  }

  /** How many transactions there are in which state. Any thread. */
  public CompletableFuture<TransactionFigures> transactions() {
    CompletableFuture<TransactionFigures> answer = new CompletableFuture<>();
    loop.execute(() -> answer.complete(core.transactions()));
    return answer;
  }

  /**
   * An operation {@code tx.*}; completes when what it did is durable and the messages that it
   * committed have their places. Any thread.
   */
  public CompletableFuture<AdminResult> administer(String operation, List<String> arguments) {
    CompletableFuture<AdminResult> answer = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            core.administer(
                operation,
                arguments,
                clock.now(),
                result -> gate.whenCommitted(journal.lastIndex(), () -> answer.complete(result)));
          } catch (IllegalArgumentException refused) {
            answer.completeExceptionally(refused);
          }
          endOfBurst();
        });
    return answer;
  }

  /**
   * Takes over records of another broker, then completes, once they are durable and the disk has
   * caught up. One call at a time; any thread.
   */
  public CompletableFuture<Void> adopt(Consumer<Adoption> records) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            records.accept(core.adoption(clock.now()));
            gate.whenCommitted(journal.lastIndex(), () -> adopted = () -> done.complete(null));
          } catch (IllegalArgumentException refused) {
            done.completeExceptionally(refused);
          }
          endOfBurst();
        });
    return done;
  }

  private void answerAdoption() {
    Runnable answer = adopted;
    if (answer != null && unwrittenBytes() <= maxUnwrittenBytes / 2) {
      adopted = null;
      answer.run();
    }
  }

  /** Takes a checkpoint, then completes. Any thread. */
  public CompletableFuture<Void> checkpoint() {
    CompletableFuture<Void> taken = new CompletableFuture<>();
    loop.execute(() -> parts.checkpoints().take(() -> taken.complete(null)));
    return taken;
  }

  /**
   * Ends in order: what the core has to say last is made durable and a last checkpoint is taken, so
   * that the next start has nothing to replay. Clients must be gone. Any thread; {@link #close}
   * must follow once this is complete.
   */
  public CompletableFuture<Void> shutDown() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          if (stopped) {
            done.complete(null);
            return;
          }
          core.stop("the broker is going down", clock.now());
          turn();
          parts
              .checkpoints()
              .take(
                  () -> {
                    shutDown = true;
                    done.complete(null);
                  });
        });
    return done;
  }

  /** Closes the files. The loop and all other threads must have ended. */
  public void close() throws IOException {
    boolean failed = stopped;
    stop();
    try {
      if (!failed) {
        journal.close();
      }
    } finally {
      parts.stores().close();
    }
  }

  /** Lets go of the data directory as it is, as if the process had been killed. */
  public void abandon() throws IOException {
    stop();
    parts.stores().close();
  }
}
