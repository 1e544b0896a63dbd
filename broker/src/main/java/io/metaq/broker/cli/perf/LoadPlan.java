package io.metaq.broker.cli.perf;

import java.time.Duration;
import java.util.Optional;

/**
 * What a run is to do.
 *
 * @param provider whose factory to use
 * @param destination name of the queue or topic
 * @param topic whether it is a topic
 * @param senders connections that send, one session each
 * @param receivers connections that receive, one session each
 * @param size bytes of a message body, at least 8
 * @param persistent delivery mode
 * @param async sends outstanding at once with a completion listener; 0 to wait for each
 * @param batch messages of a transaction; 0 for none
 * @param acknowledge mode of receivers outside transactions, as in jakarta.jms.Session
 * @param backlog messages that may wait between senders and receivers
 * @param warmup time before measuring
 * @param duration time of measuring
 * @param brokerPid process whose CPU time counts as the broker's
 */
public record LoadPlan(
    Provider provider,
    String destination,
    boolean topic,
    int senders,
    int receivers,
    int size,
    boolean persistent,
    int async,
    int batch,
    int acknowledge,
    int backlog,
    Duration warmup,
    Duration duration,
    Optional<Long> brokerPid) {

  /** Deliveries that one message leads to. */
  int copies() {
    return topic ? receivers : Math.min(receivers, 1);
  }
}
