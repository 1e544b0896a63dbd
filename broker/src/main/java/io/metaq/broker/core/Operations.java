package io.metaq.broker.core;

import io.metaq.broker.core.Destinations.SubscriptionKey;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an operator asks about destinations and subscriptions, and does to them. */
final class Operations {
  private final Destinations destinations;
  private final Lookup lookup;
  private final DurableSubscriptions durables;
  private final Purge purge;
  private final Connections connections;
  private final Dispatcher dispatcher;
  private final LiveScanContext scans;
  private final DelayedMessages delayed;

  Operations(
      Destinations destinations,
      Lookup lookup,
      DurableSubscriptions durables,
      Purge purge,
      Connections connections,
      Dispatcher dispatcher,
      LiveScanContext scans,
      DelayedMessages delayed) {
    this.destinations = destinations;
    this.lookup = lookup;
    this.durables = durables;
    this.purge = purge;
    this.connections = connections;
    this.dispatcher = dispatcher;
    this.scans = scans;
    this.delayed = delayed;
  }

  AdminResult run(Connection connection, String operation, List<String> arguments) {
    return switch (operation) {
      case "stats" -> new AdminResult(List.of(stats()));
      case "queues" -> new AdminResult(destinationRows(true));
      case "topics" -> new AdminResult(destinationRows(false));
      case "subscriptions" -> new AdminResult(subscriptionRows());
      case "create" -> {
        Destination created =
            lookup.createByOperator(kind(operation, arguments), argument(operation, arguments, 1));
        yield rows("created", created.toString());
      }
      case "delete" -> {
        DestinationKind kind = kind(operation, arguments);
        lookup.delete(connection, kind, argument(operation, arguments, 1));
        yield rows("deleted", arguments.get(1));
      }
      case "purge" -> rows("purged", Long.toString(purge(argument(operation, arguments, 0))));
      case "unsubscribe" -> {
        String clientId = argument(operation, arguments, 0);
        String name = argument(operation, arguments, 1);
        durables.delete(clientId.isEmpty() ? null : clientId, name);
        yield rows("unsubscribed", name);
      }
      default ->
          throw new CoreException(
              ErrorCode.UNSUPPORTED,
              "there is no operation "
                  + operation
                  + "; there are stats, queues, topics, subscriptions, create, delete, purge,"
                  + " unsubscribe and tx.*");
    };
  }

  private static AdminResult rows(String name, String value) {
    return new AdminResult(List.of(Map.of(name, value)));
  }

  private static String argument(String operation, List<String> arguments, int index) {
    if (index >= arguments.size()) {
      throw new CoreException(
          ErrorCode.UNSUPPORTED, operation + " needs " + (index + 1) + " arguments or more");
    }
    return arguments.get(index);
  }

  private static DestinationKind kind(String operation, List<String> arguments) {
    return switch (argument(operation, arguments, 0)) {
      case "queue" -> DestinationKind.QUEUE;
      case "topic" -> DestinationKind.TOPIC;
      default ->
          throw new CoreException(
              ErrorCode.UNSUPPORTED,
              operation + " is for a queue or a topic, not a " + arguments.get(0));
    };
  }

  private long purge(String name) {
    Destination destination = destinations.byName(name);
    if (destination == null) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "there is no destination named " + name);
    }
    long purged = 0;
    for (Subscription subscription : List.copyOf(destination.subscriptions)) {
      purged += purge.all(subscription);
    }
    return purged;
  }

  private Map<String, String> stats() {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("connections", Integer.toString(connections.count()));
    row.put("destinations", Integer.toString(destinations.all().size()));
    row.put("deliveries", Long.toString(dispatcher.deliveries()));
    row.put("selectorEvaluations", Long.toString(scans.evaluations()));
    row.put("delayedNear", Integer.toString(delayed.nearCount()));
    return row;
  }

  private List<Map<String, String>> destinationRows(boolean queues) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (Destination destination : destinations.all()) {
      if (destination.kind.isQueue() == queues) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("name", destination.name);
        row.put("temporary", Boolean.toString(destination.kind.isTemporary()));
        row.put("messages", Long.toString(destination.depth()));
        row.put("delayed", Long.toString(destination.delays.size()));
        row.put("inFlight", Long.toString(sum(destination, true)));
        row.put("consumers", Long.toString(sum(destination, false)));
        row.put("subscriptions", Integer.toString(destination.subscriptions.size()));
        row.put("blockedSenders", Integer.toString(destination.blocked.size()));
        rows.add(row);
      }
    }
    return rows;
  }

  private static long sum(Destination destination, boolean inFlight) {
    long sum = 0;
    for (Subscription subscription : destination.subscriptions) {
      sum += inFlight ? subscription.inFlight() : subscription.attachments.size();
    }
    return sum;
  }

  private List<Map<String, String>> subscriptionRows() {
    List<Map<String, String>> rows = new ArrayList<>();
    for (Destination destination : destinations.all()) {
      if (!destination.kind.isQueue()) {
        for (Subscription one : destination.subscriptions) {
          if (one.patternId == 0) {
            DurableTerms terms =
                new DurableTerms(destination.name, one.shared, one.selector, one.noLocal);
            int consumers = one.attachments.size();
            rows.add(row(Destinations.key(one), terms, List.of(one), consumers));
          }
        }
      }
    }
    for (DurablePattern pattern : destinations.patterns()) {
      SubscriptionKey key = new SubscriptionKey(true, pattern.clientId, pattern.name);
      rows.add(row(key, pattern.terms, destinations.parts(pattern), pattern.consumers()));
    }
    return rows;
  }

  private static Map<String, String> row(
      SubscriptionKey key, DurableTerms terms, List<Subscription> parts, int consumers) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("topic", terms.topics());
    row.put("name", text(key.name()));
    row.put("clientId", text(key.clientId()));
    row.put("durable", Boolean.toString(key.durable()));
    row.put("shared", Boolean.toString(terms.shared()));
    row.put("selector", text(terms.selector()));
    row.put("messages", Long.toString(parts.stream().mapToLong(Subscription::depth).sum()));
    row.put("inFlight", Long.toString(parts.stream().mapToLong(Subscription::inFlight).sum()));
    row.put("consumers", Integer.toString(consumers));
    return row;
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }
}
