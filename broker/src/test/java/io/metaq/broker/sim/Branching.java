package io.metaq.broker.sim;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;

/**
 * An application with a coordinator: moves tokens between two queues, one XA branch a move, and
 * after a reconnect ends what it finds in doubt.
 */
final class Branching implements SimClient.Actor, SimClient.Receiver {
  private static final int SUCCESS = 0x4000000;
  private static final int[] CONSUMERS = {901, 902};

  private final SimClient client;
  private final Random random;
  private final TokenLedger ledger;
  private final int session;
  private final long[] destinations = new long[2];
  private final ArrayDeque<Deliver> waiting = new ArrayDeque<>();
  private boolean ready;
  private boolean busy;

  Branching(SimClient client, Random random, TokenLedger ledger, int session) {
    this.client = client;
    this.random = random;
    this.ledger = ledger;
    this.session = session;
  }

  @Override
  public void connected() {
    busy = true;
    client.ask(new XaRecover(), this::found, answer -> endInDoubt((XaInDoubt) answer));
  }

  private void found(Frame answer) {
    ledger.found(TokenLedger.own((XaInDoubt) answer));
  }

  private void endInDoubt(XaInDoubt answer) {
    for (WireXid xid : TokenLedger.own(answer)) {
      complete(xid, ledger.isDecidedToCommit(xid), () -> {});
    }
    for (int i = 0; i < 2; i++) {
      int queue = i;
      client.ask(
          new Resolve(DestinationKind.QUEUE, TokenLedger.QUEUES[i]),
          resolved -> {},
          resolved -> resolved(queue, resolved));
    }
  }

  private void resolved(int queue, Frame answer) {
    if (!(answer instanceof Resolved found)) {
      throw new Model.Broken("resolving a queue of tokens was answered by " + answer);
    }
    destinations[queue] = found.destinationId();
    if (queue == 0) {
      sendMissing();
    }
    Consume consume =
        new Consume(
            CONSUMERS[queue],
            session,
            SubscriptionKind.QUEUE,
            DestinationKind.QUEUE,
            TokenLedger.QUEUES[queue],
            null,
            null,
            false,
            false,
            0);
    client.receiver(CONSUMERS[queue], this);
    client.ask(
        consume,
        consuming -> {},
        consuming -> {
          client.tell(new Credit(CONSUMERS[queue], 1, 1 << 20, false));
          ready |= queue == 1;
          busy &= queue != 1;
        });
  }

  /** Tokens come into the world by sends that are repeated under their number until answered. */
  private void sendMissing() {
    for (int token : ledger.missing()) {
      Send send =
          new Send(session + 1, token + 1, destinations[0], 0, 0, 0, 0, TokenLedger.content(token));
      client.ask(
          send,
          answer -> {
            if (answer instanceof Ok) {
              ledger.isThere(token);
            }
          },
          answer -> {});
    }
  }

  @Override
  public void lost() {
    ready = false;
    busy = false;
    waiting.clear();
    ledger.lost();
  }

  @Override
  public void observed(Deliver deliver) {
    ledger.delivered(TokenLedger.token(deliver), deliver.consumerId() == CONSUMERS[0] ? 0 : 1);
  }

  @Override
  public void delivered(Deliver deliver) {
    if (ready || busy) {
      waiting.add(deliver);
    }
  }

  @Override
  public void drained() {
    throw new Model.Broken("nobody asked to drain");
  }

  @Override
  public boolean act() {
    if (!ready || busy || waiting.isEmpty()) {
      return false;
    }
    busy = true;
    Deliver deliver = waiting.remove();
    WireXid xid = ledger.begin();
    client.ask(
        new XaStart(session, xid, 0, 0),
        answer -> {},
        answer -> work(xid, deliver, ((XaStarted) answer).handle()));
    return true;
  }

  private void work(WireXid xid, Deliver deliver, long handle) {
    int token = TokenLedger.token(deliver);
    int from = deliver.consumerId() == CONSUMERS[0] ? 0 : 1;
    client.tell(
        new Send(
            session,
            ledger.nextSequence(),
            destinations[1 - from],
            handle,
            0,
            0,
            0,
            TokenLedger.content(token)));
    Range range = Range.of(deliver);
    client.tell(new XaEnd(session, xid, handle, SUCCESS, List.of(range)));
    Runnable next =
        () -> {
          busy = false;
          client.tell(new Credit(deliver.consumerId(), 1, 1 << 20, false));
        };
    int dice = random.nextInt(10);
    if (dice == 0) {
      complete(xid, false, next);
    } else if (dice < 3) {
      onePhase(xid, token, from, next);
    } else {
      ledger.moving(xid, token, from);
      client.ask(
          new XaComplete(XaVerb.PREPARE, xid, handle),
          answer -> {
            if (answer instanceof XaDone) {
              ledger.prepared(xid);
            }
          },
          answer -> prepared(xid, answer, next));
    }
  }

  private void onePhase(WireXid xid, int token, int from, Runnable next) {
    ledger.moving(xid, token, from);
    client.ask(
        new XaComplete(XaVerb.COMMIT_ONE_PHASE, xid, 0),
        answer -> {
          if (answer instanceof XaDone) {
            ledger.committed(xid);
          }
        },
        answer -> next.run());
  }

  private void prepared(WireXid xid, Frame answer, Runnable next) {
    if (answer instanceof Failure) {
      next.run();
      return;
    }
    boolean commit = random.nextInt(4) != 0;
    if (commit) {
      ledger.decideToCommit(xid);
    }
    complete(xid, commit, next);
  }

  private void complete(WireXid xid, boolean commit, Runnable next) {
    if (!commit) {
      ledger.rollingBack(xid);
    }
    client.ask(
        new XaComplete(commit ? XaVerb.COMMIT : XaVerb.ROLLBACK, xid, 0),
        answer -> {
          if (answer instanceof Failure failure) {
            throw new Model.Broken(
                (commit ? "commit" : "rollback") + " of " + xid + " was answered by " + failure);
          }
          if (commit) {
            ledger.committed(xid);
          } else {
            ledger.rolledBack(xid);
          }
        },
        answer -> next.run());
  }
}
