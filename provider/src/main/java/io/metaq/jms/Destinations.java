package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.RequestRefusedException;
import io.metaq.transport.Resumption;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The destinations that a connection has looked up, and the temporary ones it owns, which it makes
 * again under their names after a reconnect.
 */
final class Destinations {
  private static final System.Logger LOG = System.getLogger(Destinations.class.getName());
  private static final int MOST_KNOWN = 10_000;

  private final UUID connectionId;
  private final Predicate<MetaqDestination> isConsumed;
  private final Map<MetaqDestination, Long> known = new ConcurrentHashMap<>();
  private final Set<MetaqDestination> temporary = ConcurrentHashMap.newKeySet();
  private final AtomicLong lastTemporary = new AtomicLong();
  private volatile BrokerConnection connection;

  /**
   * @param isConsumed whether the connection has a consumer on a destination
   */
  Destinations(UUID connectionId, Predicate<MetaqDestination> isConsumed) {
    this.connectionId = connectionId;
    this.isConsumed = isConsumed;
  }

  void connected(BrokerConnection to) {
    connection = to;
  }

  /** A destination of this provider, as every use but a reply address demands. */
  static MetaqDestination ours(Destination destination) throws JMSException {
    if (destination instanceof MetaqDestination ours) {
      return ours;
    }
    throw new InvalidDestinationException(
        destination == null
            ? "The destination is null"
            : "The destination "
                + destination
                + " is of another provider ("
                + destination.getClass().getName()
                + ")");
  }

  /**
   * The id under which the broker knows the destination now; created where its configuration
   * allows.
   */
  long resolve(MetaqDestination destination) throws JMSException {
    Long id = known.get(destination);
    return id != null ? id : lookUp(destination);
  }

  /** The former id is void. */
  void forget(MetaqDestination destination) {
    known.remove(destination);
  }

  private long lookUp(MetaqDestination destination) throws JMSException {
    String doing = "Looking up " + destination;
    try {
      Resolved resolved =
          (Resolved) connection.request(new Resolve(kindToAskFor(destination), destination.name()));
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(destination, resolved.destinationId());
      return resolved.destinationId();
    } catch (RequestRefusedException e) {
      throw Failures.refused(doing, e);
    } catch (IOException e) {
      throw Failures.lost(doing, e);
    }
  }

  /**
   * A temporary destination of another connection is found like any other: only its owner may
   * create it.
   */
  private DestinationKind kindToAskFor(MetaqDestination destination) {
    if (!destination.kind().isTemporary() || temporary.contains(destination)) {
      return destination.kind();
    }
    return destination.kind().isQueue() ? DestinationKind.QUEUE : DestinationKind.TOPIC;
  }

  MetaqTemporaryQueue createTemporaryQueue() throws JMSException {
    MetaqTemporaryQueue queue =
        new MetaqTemporaryQueue(temporaryName("temporary-queue"), this::delete);
    create(queue);
    return queue;
  }

  MetaqTemporaryTopic createTemporaryTopic() throws JMSException {
    MetaqTemporaryTopic topic =
        new MetaqTemporaryTopic(temporaryName("temporary-topic"), this::delete);
    create(topic);
    return topic;
  }

  private String temporaryName(String kind) {
    return kind + "-" + connectionId + "-" + lastTemporary.incrementAndGet();
  }

  private void create(MetaqDestination destination) throws JMSException {
    temporary.add(destination);
    boolean created = false;
    try {
      lookUp(destination);
      created = true;
    } finally {
      if (!created) {
        temporary.remove(destination);
      }
    }
  }

  /** Whether this connection may consume from it. */
  boolean owns(MetaqDestination destination) {
    return temporary.contains(destination);
  }

  private void delete(MetaqDestination destination) throws JMSException {
    if (isConsumed.test(destination)) {
      throw new JMSException(
          destination + " still has a consumer; close it before deleting the destination");
    }
    if (!temporary.contains(destination)) {
      return; // deleted before, or with its connection
    }
    String doing = "Deleting " + destination;
    try {
      connection.request(new Delete(destination.kind(), destination.name()));
      temporary.remove(destination);
      known.remove(destination);
    } catch (RequestRefusedException e) {
      throw Failures.refused(doing, e);
    } catch (IOException e) {
      throw Failures.lost(doing, e);
    }
  }

  void resume(Resumption resumption) throws IOException {
    for (MetaqDestination destination : temporary) {
      try {
        Resolved resolved =
            (Resolved) resumption.request(new Resolve(destination.kind(), destination.name()));
        known.put(destination, resolved.destinationId());
      } catch (RequestRefusedException e) {
        LOG.log(
            Level.WARNING,
            "The broker does not make " + destination + " again: " + e.getMessage(),
            e);
      }
    }
  }
}
