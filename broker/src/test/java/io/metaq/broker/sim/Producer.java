package io.metaq.broker.sim;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import io.metaq.wire.TransactionFrames.Rollback;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A session that sends: one by one or several under way, in transactions if told so. After a
 * reconnect it repeats what was not answered under the same numbers, and asks what became of a
 * commit.
 */
final class Producer implements SimClient.Actor {
  private final SimClient client;
  private final Random random;
  private final Model model;
  private final int session;
  private final DestinationKind kind;
  private final String destination;
  private final int window;
  private final boolean transacted;
  private final TreeMap<Long, Message> unanswered = new TreeMap<>();
  private List<Message> inTransaction = new ArrayList<>();
  private List<Message> inDoubt;
  private long transaction;
  private long committing;
  private long generation;
  private long destinationId;
  private boolean resolving;
  private long sequence;
  private int left;

  Producer(
      SimClient client,
      Random random,
      Model model,
      int session,
      DestinationKind kind,
      String destination,
      int count,
      boolean transacted) {
    this.client = client;
    this.random = random;
    this.model = model;
    this.session = session;
    this.kind = kind;
    this.destination = destination;
    this.window = 1 + random.nextInt(8);
    this.left = count;
    this.transacted = transacted;
    this.transaction = session * 1_000_000L + 1;
  }

  @Override
  public void connected() {
    if (client.generation() != generation) {
      // A broker that started anew cannot tell a resend of these: at most once means never again.
      unanswered.values().removeIf(message -> !message.persistent);
      generation = client.generation();
    }
    resolve();
  }

  private void resolve() {
    destinationId = 0;
    resolving = true;
    client.ask(new Resolve(kind, destination), answer -> {}, this::resolved);
  }

  private void resolved(Frame answer) {
    if (!(answer instanceof Resolved found)) {
      throw new Model.Broken("resolving " + destination + " was answered by " + answer);
    }
    destinationId = found.destinationId();
    resolving = false;
    if (inDoubt != null) {
      List<Message> asked = inDoubt;
      client.ask(
          new QueryOutcome(client.id(), committing),
          outcome -> outcome(asked, ((Outcome) outcome).committed()),
          outcome -> inDoubt = null);
    }
    for (Map.Entry<Long, Message> again : unanswered.entrySet()) {
      transmit(again.getValue());
    }
  }

  @Override
  public void lost() {
    destinationId = 0;
    resolving = false;
    if (transacted && inDoubt == null) {
      // The commit was not sent: the transaction is rolled back with the connection.
      inTransaction.forEach(model::refused);
      inTransaction = new ArrayList<>();
      transaction++;
    }
  }

  @Override
  public boolean act() {
    if (destinationId == 0 || inDoubt != null) {
      return false;
    }
    if (transacted && !inTransaction.isEmpty() && (left == 0 || random.nextInt(4) == 0)) {
      end();
      return true;
    }
    if (left == 0 || unanswered.size() >= window) {
      return false;
    }
    left--;
    Message.Stream stream =
        new Message.Stream(
            destination, client.id(), session, random.nextInt(5) == 0 ? random.nextInt(10) : 4);
    boolean persistent = transacted || random.nextInt(10) != 0;
    Message message = new Message(stream, ++sequence, persistent);
    model.sending(message);
    if (transacted) {
      inTransaction.add(message);
    } else {
      unanswered.put(message.sequence, message);
    }
    transmit(message);
    return true;
  }

  private void transmit(Message message) {
    Send send =
        new Send(
            session,
            message.sequence,
            destinationId,
            transacted ? transaction : 0,
            0,
            0,
            0,
            content(message));
    if (transacted) {
      client.tell(send);
    } else {
      client.ask(send, answer -> observed(message, answer), answer -> answered(message, answer));
    }
  }

  private void observed(Message message, Frame answer) {
    if (answer instanceof Ok) {
      model.stored(message);
    }
  }

  private void answered(Message message, Frame answer) {
    if (answer instanceof Failure failure) {
      if (failure.code() == ErrorCode.STALE || failure.code() == ErrorCode.INVALID_DESTINATION) {
        if (!resolving) {
          resolve();
        }
        return;
      }
      if (failure.code() == ErrorCode.STORAGE || failure.code() == ErrorCode.RESOURCE_LIMIT) {
        model.refused(message);
      } else {
        throw new Model.Broken("sending " + message + " was answered by " + failure);
      }
    }
    unanswered.remove(message.sequence);
  }

  private void end() {
    List<Message> sends = inTransaction;
    inTransaction = new ArrayList<>();
    committing = transaction++;
    if (random.nextInt(4) == 0) {
      sends.forEach(model::refused);
      client.ask(new Rollback(session, committing, List.of()), answer -> {}, answer -> {});
    } else {
      model.atomic(sends);
      inDoubt = sends;
      client.ask(
          new Commit(session, committing, List.of()),
          answer -> outcome(sends, answer instanceof Ok),
          answer -> inDoubt = null);
    }
  }

  private void outcome(List<Message> sends, boolean committed) {
    sends.forEach(committed ? model::stored : model::refused);
  }

  private ByteBuffer content(Message message) {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_TEXT,
            message.persistent ? MessageBlock.FLAG_PERSISTENT : 0,
            message.stream.priority(),
            0,
            0,
            0,
            0,
            0,
            0,
            client.id(),
            null,
            null,
            0,
            null,
            message.id,
            kind,
            destination,
            null,
            null,
            null,
            Map.of());
    return Content.build(block, ByteBuffer.wrap(new byte[(int) (message.sequence * 37 % 300)]));
  }
}
