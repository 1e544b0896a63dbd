package io.metaq.broker.engine;

import io.metaq.broker.core.Core;
import io.metaq.broker.store.Disk;
import io.metaq.broker.store.Journal;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps enough of the disk free that consumers can always go on: for records that stand in the
 * journal and still have to go into their logs, for the next snapshot, for acknowledgements, and
 * for the commits of what is prepared. Senders are refused while less is left. Between two looks at
 * the disk it counts what was written, since a fast sender fills a disk in less than a second.
 */
final class DiskWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final int MEGABYTE_SHIFT = 20;

  /** A record is written twice: to the journal, whose files may have to be made, and to its log. */
  private static final int COPIES = 2;

  private final Disk disk;
  private final Journal journal;
  private final LogWriter logWriter;
  private final EngineThreads threads;
  private final long reserved;
  private final Core core;
  private final Consumer<String> trouble;
  private long allowance = Long.MAX_VALUE;
  private long bytesThen;
  private boolean refusing;
  private boolean looking;
  private boolean ended;

  /**
   * @param reserved bytes that are kept free
   * @param core told how much room there is, asked what it has promised of it
   * @param trouble told on the loop why senders must be refused, or null when they need not be
   */
  DiskWatch(
      Disk disk,
      Journal journal,
      LogWriter logWriter,
      EngineThreads threads,
      long reserved,
      Core core,
      Consumer<String> trouble) {
    this.disk = disk;
    this.journal = journal;
    this.logWriter = logWriter;
    this.threads = threads;
    this.reserved = reserved;
    this.core = core;
    this.trouble = trouble;
  }

  void start() {
    look();
    threads.loop().schedule(this::repeat, LOOK_MILLIS);
  }

  void end() {
    ended = true;
  }

  private void repeat() {
    if (!ended) {
      start();
    }
  }

  /** Called at the end of each burst: what was written meanwhile may have used up what was left. */
  void check() {
    if (!refusing && (journal.stats().bytes() - bytesThen) * COPIES > allowance) {
      look();
    }
  }

  private void look() {
    if (looking) {
      return;
    }
    looking = true;
    threads
        .background()
        .execute(
            () -> {
              try {
                long usable = disk.usableSpace();
                threads.loop().execute(() -> seen(usable));
              } catch (IOException e) {
                LOG.error("cannot see how much space the disk has: {}", e.toString());
                threads.loop().execute(() -> looking = false);
              }
            });
  }

  private void seen(long usable) {
    looking = false;
    long kept = reserved + logWriter.unwrittenBytes();
    core.storageRoom(usable - kept);
    long needed = kept + core.promisedBytes();
    bytesThen = journal.stats().bytes();
    allowance = Math.max(0, usable - needed);
    String stalled = journal.trouble();
    boolean tooLittle = refusing ? usable < needed + needed / 8 : usable < needed;
    if (tooLittle || !stalled.isEmpty()) {
      refuse(usable, needed, stalled);
    } else if (refusing) {
      refusing = false;
      LOG.info(
          "the disk of {} has {} MB free again; senders are served",
          disk.describe(""),
          usable >> MEGABYTE_SHIFT);
      trouble.accept(null);
    }
  }

  private void refuse(long usable, long needed, String stalled) {
    String why =
        "the disk of "
            + disk.describe("")
            + (stalled.isEmpty()
                ? " has only "
                    + (usable >> MEGABYTE_SHIFT)
                    + " MB left, and "
                    + (needed >> MEGABYTE_SHIFT)
                    + " MB are kept free so that consumers can go on"
                : " has no room for another journal file: " + stalled)
            + "; make room on it, or let consumers drain";
    if (!refusing) {
      LOG.error("senders are refused: {}", why);
    }
    refusing = true;
    trouble.accept(why);
  }
}
