package io.metaq.broker.sim;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.ArrayList;
import java.util.List;

/** At the end: ends what is in doubt as decided, and takes all tokens out. */
final class TokenAudit implements SimClient.Actor, SimClient.Receiver {
  private final SimClient client;
  private final TokenLedger ledger;
  private final List<Integer> drained = new ArrayList<>();
  private int done;

  TokenAudit(SimClient client, TokenLedger ledger) {
    this.client = client;
    this.ledger = ledger;
  }

  @Override
  public void connected() {
    client.ask(
        new XaRecover(),
        answer -> ledger.found(TokenLedger.own((XaInDoubt) answer)),
        answer -> recover(TokenLedger.own((XaInDoubt) answer)));
  }

  private void recover(List<WireXid> xids) {
    for (WireXid xid : xids) {
      boolean commit = ledger.isDecidedToCommit(xid);
      client.ask(
          new XaComplete(commit ? XaVerb.COMMIT : XaVerb.ROLLBACK, xid, 0),
          answer -> {
            if (answer instanceof Failure failure) {
              throw new Model.Broken("the end of " + xid + " was answered by " + failure);
            }
          },
          answer -> {});
    }
    client.ask(
        new XaRecover(),
        answer -> {
          if (!TokenLedger.own((XaInDoubt) answer).isEmpty()) {
            throw new Model.Broken("something is in doubt for ever: " + answer);
          }
        },
        answer -> {});
    for (int i = 0; i < 2; i++) {
      int consumer = i + 1;
      client.receiver(consumer, this);
      Consume consume =
          new Consume(
              consumer,
              1,
              SubscriptionKind.QUEUE,
              DestinationKind.QUEUE,
              TokenLedger.QUEUES[i],
              null,
              null,
              false,
              false,
              0);
      client.ask(
          consume, answer -> {}, answer -> client.tell(new Credit(consumer, 1_000, 1 << 20, true)));
    }
  }

  @Override
  public void observed(Deliver deliver) {
    drained.add(TokenLedger.token(deliver));
  }

  @Override
  public void delivered(Deliver deliver) {
    // counted when it came
  }

  @Override
  public void drained() {
    done++;
  }

  boolean isDone() {
    return done == 2;
  }

  void settle() {
    ledger.settle(drained);
  }

  @Override
  public void lost() {
    if (!isDone()) {
      throw new Model.Broken("the audit of the tokens lost its connection");
    }
  }

  @Override
  public boolean act() {
    return false;
  }
}
