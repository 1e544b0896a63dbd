package io.metaq.broker.engine;

import io.metaq.broker.core.Effects;
import io.metaq.broker.core.Entry;
import io.metaq.broker.core.EntryCodec;
import io.metaq.broker.core.ReadRequest;
import io.metaq.broker.core.ReadResult;
import io.metaq.broker.store.Journal;
import io.metaq.broker.store.PartitionLog;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.UploadChunk;
import io.metaq.wire.WireWriter;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the core wants done: entries to the journal and on to the log writer, answers to
 * the gate, reads to the readers. Loop thread only.
 */
final class EngineEffects implements Effects {
  private static final Logger LOG = LoggerFactory.getLogger(EngineEffects.class);

  private final Gate gate;
  private final AckConfirmations confirmations;
  private final Network network;
  private final LogSet logs;
  private final LogWriter logWriter;
  private final Bodies bodies;
  private final EngineThreads threads;
  private final Consumer<ReadResult> readDone;
  private final WireWriter scratch = new WireWriter(4096);
  private Journal journal;

  EngineEffects(
      Gate gate,
      AckConfirmations confirmations,
      Network network,
      LogSet logs,
      LogWriter logWriter,
      Bodies bodies,
      EngineThreads threads,
      Consumer<ReadResult> readDone) {
    this.gate = gate;
    this.confirmations = confirmations;
    this.network = network;
    this.logs = logs;
    this.logWriter = logWriter;
    this.bodies = bodies;
    this.threads = threads;
    this.readDone = readDone;
  }

  /** Until then, during a recovery, the core has nothing to write. */
  void open(Journal recovered) {
    journal = recovered;
  }

  @Override
  public long append(Entry entry, boolean force) {
    EntryCodec.encode(entry, scratch.reset());
    long index = journal.append(scratch.written());
    logs.tasks(index, entry, logWriter::add);
    if (force) {
      gate.raise(index);
    }
    return index;
  }

  @Override
  public void awaitAppended() {
    gate.raise(journal.lastIndex());
  }

  @Override
  public void send(int connection, int correlation, Frame frame) {
    gate.send(connection, correlation, frame);
  }

  @Override
  public void sendNow(int connection, int correlation, Frame frame) {
    gate.sendNow(connection, correlation, frame);
  }

  @Override
  public void confirmAck(int connection, long ackSequence) {
    confirmations.add(journal.lastIndex(), connection, ackSequence);
  }

  @Override
  public void close(int connection, ErrorCode code, String why) {
    network.close(connection, code, why);
  }

  @Override
  public void read(ReadRequest request) {
    PartitionLog log = logs.get(request.destinationId(), request.partition());
    if (log == null) {
      ReadResult nothing =
          new ReadResult(request.token(), List.of(), request.from(), List.of(), "the log is gone");
      threads.loop().execute(() -> readDone.accept(nothing));
      return;
    }
    threads
        .readers()
        .execute(
            () -> {
              ReadResult result = Readers.read(request, log);
              threads.loop().execute(() -> readDone.accept(result));
            });
  }

  @Override
  public void pauseReading(int connection, boolean pause) {
    network.pauseReading(connection, pause);
  }

  @Override
  public void upload(int connection, int correlation, UploadChunk chunk) {
    bodies.upload(connection, correlation, chunk);
  }

  @Override
  public void sealBody(int connection, long uploadId, long token) {
    bodies.seal(connection, uploadId, token);
  }

  @Override
  public void dropUploads(int connection) {
    bodies.drop(connection);
  }

  @Override
  public void readBody(int connection, int correlation, long fileId, long offset, int length) {
    bodies.read(connection, correlation, fileId, offset, length);
  }

  @Override
  public void readExtent(long fileId, long offset, int length) {
    bodies.readExtent(fileId, offset, length);
  }

  @Override
  public void releaseBody(long fileId) {
    // In a replay nothing has to be done: what is not named at its end is an orphan.
    if (journal != null) {
      gate.whenCommitted(journal.lastIndex(), () -> bodies.delete(fileId));
    }
  }

  @Override
  public void report(String what, Throwable fault) {
    LOG.error("a fault of the broker while it served {}", what, fault);
  }

  @Override
  public void note(String what) {
    LOG.info("{}", what.replaceAll("\\p{Cntrl}", " "));
  }
}
