package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Workload;

/**
 * A steady stream from senders to receivers.
 *
 * @param topic every receiver is a durable subscription; otherwise they share a queue
 * @param async sends are confirmed to a listener
 * @param batch messages of a transaction, at both ends; 0 for none
 * @param selectors receivers that each take one share of the messages; 0 for none
 * @param perSecond sends at a fixed rate, however late the answers; 0 for as fast as possible
 * @param backlog messages that may be under way
 */
record FlowPlan(
    int senders,
    int receivers,
    boolean persistent,
    boolean topic,
    boolean async,
    int batch,
    int selectors,
    int perSecond,
    int backlog) {

  private static final int BACKLOG = 10_000;
  private static final int BACKLOG_OF_SELECTORS = 2_000;

  static FlowPlan of(Workload workload) {
    return switch (workload) {
      case W1 -> persistent(1, 1);
      case W2 -> persistent(16, 4);
      case W3 -> new FlowPlan(1, 1, false, false, false, 0, 0, 0, BACKLOG);
      case W4 -> new FlowPlan(1, 1, true, false, true, 0, 0, 0, BACKLOG);
      case W5 -> new FlowPlan(1, 1, true, false, false, 100, 0, 0, BACKLOG);
      case W6 -> new FlowPlan(1, 5, true, true, false, 0, 0, 0, BACKLOG);
      case W9 -> new FlowPlan(1, 10, false, false, false, 0, 10, 0, BACKLOG_OF_SELECTORS);
      case W10 -> new FlowPlan(16, 1, true, false, false, 0, 0, 2_000, BACKLOG);
      default -> throw new IllegalArgumentException(workload + " is no stream");
    };
  }

  private static FlowPlan persistent(int senders, int receivers) {
    return new FlowPlan(senders, receivers, true, false, false, 0, 0, 0, BACKLOG);
  }

  /** Deliveries that one message makes. */
  int fan() {
    return topic ? receivers : 1;
  }
}
