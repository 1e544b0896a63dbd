package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A durable subscription on all topics that match a pattern. Each of them, also of those to come,
 * has a {@link Subscription} that names it and holds the state; what stands here is what they have
 * in common.
 */
final class DurablePattern {
  final long id;
  final String clientId;
  final String name;
  final DurableTerms terms;
  private final List<Consumer> consumers = new ArrayList<>(1);

  DurablePattern(long id, String clientId, String name, DurableTerms terms) {
    this.id = id;
    this.clientId = clientId;
    this.name = name;
    this.terms = terms;
  }

  boolean matches(String topic) {
    return Wildcard.matches(terms.topics(), topic);
  }

  void attach(Consumer consumer) {
    consumers.add(consumer);
  }

  /** Those that are not closed; there may be one before there is any topic. */
  int consumers() {
    consumers.removeIf(consumer -> consumer.closed);
    return consumers.size();
  }

  void encode(WireWriter out) {
    out.i64(id).string(clientId).string(name).string(terms.topics()).bool(terms.shared());
    out.string(terms.selector()).bool(terms.noLocal());
  }

  static DurablePattern decode(WireReader in) {
    return new DurablePattern(
        in.i64(),
        in.string(),
        in.text(),
        new DurableTerms(in.text(), in.bool(), in.string(), in.bool()));
  }
}
