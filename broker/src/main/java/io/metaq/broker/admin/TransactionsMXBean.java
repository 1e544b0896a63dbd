package io.metaq.broker.admin;

import java.util.List;
import java.util.Map;

/**
 * Transactions of a broker, under {@code io.metaq:type=Transactions,port=N}. An Xid is written as
 * {@link #list} shows it: format id, global id and branch qualifier in hex, with colons between.
 */
public interface TransactionsMXBean {
  /** Open local transactions. */
  int getLocal();

  /** Branches that are not prepared. */
  int getActive();

  int getPrepared();

  /** How long the oldest prepared branch has waited, 0 without any. */
  long getOldestPreparedAgeMillis();

  /** Decisions of operators that no coordinator has forgotten. */
  int getHeuristic();

  /** Branches in doubt. */
  List<Map<String, String>> list();

  /**
   * Commits a prepared branch in its coordinator's place; returns when that is durable and its
   * messages have their places.
   */
  void commit(String xid);

  /** Rolls a prepared branch back in its coordinator's place; returns when that is durable. */
  void rollback(String xid);

  /** Forgets a decision; returns when that is durable. */
  void forget(String xid);
}
