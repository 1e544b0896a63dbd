package io.metaq.broker.sim;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A transaction manager and its resource in one: sends in branches, prepares and completes them,
 * and after a lost connection asks which are in doubt before it does anything else.
 */
final class XaWorker implements SimClient.Actor {
  private static final int SUCCESS = 0x4000000;
  private static final int LARGE_SENDS = 12;
  private static final int LARGE_BODY = 1_700;

  private enum State {
    IDLE,
    ACTIVE,
    ENDED,
    PREPARING,
    PREPARED,
    COMMITTING,
    ROLLING_BACK
  }

  private final SimClient client;
  private final Random random;
  private final Model model;
  private final int session;
  private final String destination;
  private List<Message> sends = new ArrayList<>();
  private State state = State.IDLE;
  private WireXid xid;
  private long handle;
  private long destinationId;
  private long sequence;
  private int branches;
  private int left;
  private boolean busy;

  XaWorker(
      SimClient client, Random random, Model model, int session, String destination, int count) {
    this.client = client;
    this.random = random;
    this.model = model;
    this.session = session;
    this.destination = destination;
    this.left = count;
  }

  @Override
  public void connected() {
    busy = true;
    client.ask(
        new Resolve(DestinationKind.QUEUE, destination),
        answer -> {},
        answer -> {
          destinationId = ((Resolved) answer).destinationId();
          client.ask(new XaRecover(), inDoubt -> {}, inDoubt -> recovered((XaInDoubt) inDoubt));
        });
  }

  private void recovered(XaInDoubt answer) {
    boolean listed = xid != null && answer.xids().contains(xid);
    busy = false;
    handle = 0;
    switch (state) {
      case IDLE -> {
        if (listed) {
          throw new Model.Broken("branch " + xid + " is over and still in doubt");
        }
      }
      case ACTIVE, ENDED -> {
        if (listed) {
          throw new Model.Broken("branch " + xid + " was never prepared and is in doubt");
        }
        finish(false);
      }
      case PREPARING -> {
        if (listed) {
          state = State.PREPARED;
        } else {
          finish(false);
        }
      }
      case PREPARED -> {
        if (!listed) {
          throw new Model.Broken("branch " + xid + " was prepared and is lost");
        }
      }
      case COMMITTING -> {
        if (listed) {
          state = State.PREPARED;
        } else {
          finish(true);
        }
      }
      case ROLLING_BACK -> {
        if (listed) {
          complete(XaVerb.ROLLBACK);
        } else {
          finish(false);
        }
      }
    }
  }

  private void finish(boolean committed) {
    sends.forEach(committed ? model::stored : model::refused);
    sends = new ArrayList<>();
    state = State.IDLE;
  }

  @Override
  public void lost() {
    busy = true;
  }

  @Override
  public boolean act() {
    if (busy) {
      return false;
    }
    switch (state) {
      case IDLE -> {
        if (left == 0) {
          return false;
        }
        begin();
      }
      case ACTIVE -> {
        if (left > 0 && (isLarge() ? sends.size() < LARGE_SENDS : random.nextInt(3) != 0)) {
          send();
        } else {
          end();
        }
      }
      case ENDED -> prepare();
      case PREPARED -> complete(random.nextInt(4) == 0 ? XaVerb.ROLLBACK : XaVerb.COMMIT);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Every third branch sends more than the broker keeps in memory: several extents of it. */
  private boolean isLarge() {
    return branches % 3 == 0;
  }

  private void begin() {
    busy = true;
    branches++;
    xid = new WireXid(7, new byte[] {(byte) session, (byte) branches}, new byte[] {1});
    client.ask(
        new XaStart(session, xid, 0, 0),
        answer -> {},
        answer -> {
          busy = false;
          if (!(answer instanceof XaStarted started)) {
            throw new Model.Broken("starting a branch was answered by " + answer);
          }
          handle = started.handle();
          state = State.ACTIVE;
        });
  }

  private void send() {
    left--;
    Message.Stream stream = new Message.Stream(destination, client.id(), session, 4);
    Message message = new Message(stream, ++sequence, true);
    model.sending(message);
    sends.add(message);
    client.tell(
        new Send(session, message.sequence, destinationId, handle, 0, 0, 0, content(message)));
  }

  private void end() {
    busy = true;
    client.ask(
        new XaEnd(session, xid, handle, SUCCESS, List.of()),
        answer -> {},
        answer -> {
          busy = false;
          state = State.ENDED;
          refuse(answer);
        });
  }

  private static void refuse(Frame answer) {
    if (answer instanceof Failure failure) {
      throw new Model.Broken("a branch was answered by " + failure);
    }
  }

  private void prepare() {
    busy = true;
    state = State.PREPARING;
    model.atomic(sends);
    client.ask(
        new XaComplete(XaVerb.PREPARE, xid, handle),
        answer -> {
          refuse(answer);
          // Read-only branches are over.
          state = ((XaDone) answer).vote() == 0 ? State.PREPARED : State.IDLE;
        },
        answer -> busy = false);
  }

  private void complete(XaVerb verb) {
    busy = true;
    state = verb == XaVerb.COMMIT ? State.COMMITTING : State.ROLLING_BACK;
    client.ask(
        new XaComplete(verb, xid, handle),
        answer -> {
          refuse(answer);
          finish(verb == XaVerb.COMMIT);
        },
        answer -> busy = false);
  }

  private ByteBuffer content(Message message) {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_TEXT,
            MessageBlock.FLAG_PERSISTENT,
            4,
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
            DestinationKind.QUEUE,
            destination,
            null,
            null,
            null,
            Map.of());
    return Content.build(block, ByteBuffer.wrap(new byte[isLarge() ? LARGE_BODY : 50]));
  }
}
