package io.metaq.broker.sim;

import io.metaq.wire.Content;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the coordinator of the tokens knows, which outlives every crash of the broker: its
 * decisions, what it was told, and so what must be in doubt and where tokens may be.
 */
final class TokenLedger {
  static final String[] QUEUES = {"x1", "x2"};
  static final int TOKENS = 3;
  private static final int FORMAT = 77;

  private record Move(int token, int from) {}

  private final Set<Integer> there = new HashSet<>();
  private final Map<Integer, Integer> place = new HashMap<>();
  private final Map<WireXid, Move> moves = new HashMap<>();
  private final Set<WireXid> prepared = new HashSet<>();
  private final Set<WireXid> toCommit = new HashSet<>();
  private final Set<WireXid> completing = new HashSet<>();
  private final Set<WireXid> over = new HashSet<>();
  private final Set<WireXid> rollingBack = new HashSet<>();
  private int branches;
  private long sequence;

  /** What a recovery lists of the branches that move tokens; others belong to somebody else. */
  static List<WireXid> own(XaInDoubt answer) {
    return answer.xids().stream().filter(xid -> xid.formatId() == FORMAT).toList();
  }

  WireXid begin() {
    return new WireXid(FORMAT, ByteBuffer.allocate(4).putInt(++branches).array(), new byte[] {1});
  }

  long nextSequence() {
    return ++sequence;
  }

  List<Integer> missing() {
    List<Integer> missing = new ArrayList<>();
    for (int token = 0; token < TOKENS; token++) {
      if (!there.contains(token)) {
        missing.add(token);
      }
    }
    return missing;
  }

  void isThere(int token) {
    there.add(token);
    place.putIfAbsent(token, 0);
  }

  void moving(WireXid xid, int token, int from) {
    moves.put(xid, new Move(token, from));
    completing.add(xid);
  }

  void prepared(WireXid xid) {
    prepared.add(xid);
  }

  void decideToCommit(WireXid xid) {
    toCommit.add(xid);
  }

  boolean isDecidedToCommit(WireXid xid) {
    return toCommit.contains(xid);
  }

  void committed(WireXid xid) {
    Move move = moves.get(xid);
    if (move != null) {
      place.put(move.token, 1 - move.from);
    }
    end(xid);
  }

  void rolledBack(WireXid xid) {
    end(xid);
  }

  private void end(WireXid xid) {
    over.add(xid);
    prepared.remove(xid);
    completing.remove(xid);
  }

  /** The connection is lost: where tokens are that were on their way is not known any more. */
  void lost() {
    for (WireXid xid : completing) {
      place.remove(moves.get(xid).token);
    }
  }

  /** The broker's list of branches in doubt. */
  void found(List<WireXid> xids) {
    for (WireXid xid : xids) {
      if (over.contains(xid)) {
        throw new Model.Broken("branch " + xid + " is in doubt although its end was confirmed");
      }
    }
    for (WireXid xid : prepared) {
      // An end may have arrived though its answer did not.
      if (!xids.contains(xid) && !toCommit.contains(xid) && !rollingBack.contains(xid)) {
        throw new Model.Broken("the prepared branch " + xid + " is not in doubt any more");
      }
    }
    for (WireXid xid : List.copyOf(completing)) {
      if (!xids.contains(xid)) {
        if (toCommit.contains(xid)) {
          committed(xid);
        } else {
          end(xid);
        }
      }
    }
  }

  /** The broker is told to. */
  void rollingBack(WireXid xid) {
    rollingBack.add(xid);
  }

  /** A queue delivers a token. */
  void delivered(int token, int queue) {
    Integer known = place.get(token);
    if (known != null && known != queue && there.contains(token)) {
      throw new Model.Broken(
          "token " + token + " came from " + QUEUES[queue] + " but is in " + QUEUES[known]);
    }
  }

  /** Everything is over and the queues were emptied. */
  void settle(List<Integer> drained) {
    Set<Integer> seen = new HashSet<>();
    for (int token : drained) {
      if (!seen.add(token)) {
        throw new Model.Broken("token " + token + " is there twice: " + drained);
      }
    }
    for (int token : there) {
      if (!seen.contains(token)) {
        throw new Model.Broken("token " + token + " is lost; left are " + drained);
      }
    }
  }

  static int token(Deliver deliver) {
    String id = Content.of(deliver.content()).block().messageId();
    return Integer.parseInt(id.substring("ID:token-".length()));
  }

  static ByteBuffer content(int token) {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_NONE,
            MessageBlock.FLAG_PERSISTENT,
            4,
            0,
            0,
            0,
            0,
            0,
            0,
            new UUID(7, 7),
            null,
            null,
            0,
            null,
            "ID:token-" + token,
            DestinationKind.QUEUE,
            "x",
            null,
            null,
            null,
            Map.of());
    return Content.build(block, null);
  }
}
