package io.metaq.tck.transactions;

import io.metaq.jms.MetaqXAConnectionFactory;
import io.metaq.jms.narayana.MetaqRecoveryHelper;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.Transaction;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * The application of the kill tests: moves tokens between a table and two queues, one XA
 * transaction a move, until it is killed. Every token is in exactly one place, whatever dies when.
 *
 * <p>Arguments: {@code move <url> <directory> <broker process> <failpoint> <seed>}, or {@code audit
 * <url> <directory>}, which finishes what is in doubt, prints where the tokens are, and ends.
 */
public final class TokenMover {
  private static final String[] QUEUES = {"tokens.a", "tokens.b"};
  private static final int RECOVERY_PASSES = 60;

  private final MetaqXAConnectionFactory factory;
  private final MetaqRecoveryHelper helper;
  private final Tokens tokens;
  private final Coordinator coordinator;
  private final Failpoint failpoint;
  private final Random random;

  private TokenMover(String url, Path directory, Failpoint failpoint, long seed) throws Exception {
    this.factory = new MetaqXAConnectionFactory(url);
    this.helper = new MetaqRecoveryHelper(factory);
    this.tokens = new Tokens(directory.resolve("tokens"));
    this.coordinator =
        new Coordinator(
            directory.resolve("coordinator"),
            "mover",
            0,
            List.of(helper, new DerbyRecoveryHelper(tokens.source())));
    this.failpoint = failpoint;
    this.random = new Random(seed);
  }

  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.SEVERE);
    Path directory = Path.of(arguments[2]);
    System.setProperty("derby.stream.error.file", directory.resolve("derby.log").toString());
    if (arguments[0].equals("audit")) {
      new TokenMover(arguments[1], directory, Failpoint.none(), 0).audit();
      return;
    }
    Failpoint failpoint = Failpoint.parse(arguments[4], Long.parseLong(arguments[3]));
    new TokenMover(arguments[1], directory, failpoint, Long.parseLong(arguments[5])).move();
  }

  private void move() throws Exception {
    settle();
    System.out.println("MOVING");
    while (true) {
      try (XAConnection connection = factory.createXAConnection()) {
        connection.start();
        while (true) {
          moveOne(connection);
        }
      } catch (Exception brokerAway) {
        System.out.println("AGAIN after " + brokerAway);
        LockSupport.parkNanos(200_000_000L);
      }
    }
  }

  private void moveOne(XAConnection connection) throws Exception {
    javax.sql.XAConnection sql = tokens.source().getXAConnection();
    XASession session = connection.createXASession();
    coordinator.transactions().setTransactionTimeout(20);
    coordinator.transactions().begin();
    try {
      Transaction transaction = coordinator.transactions().getTransaction();
      boolean brokerFirst = random.nextBoolean();
      if (brokerFirst) {
        transaction.enlistResource(resource("jms", session.getXAResource()));
      }
      transaction.enlistResource(resource("db", sql.getXAResource()));
      if (!brokerFirst) {
        transaction.enlistResource(resource("jms", session.getXAResource()));
      }
      step(session, sql.getConnection());
      if (random.nextInt(10) == 0) {
        coordinator.transactions().rollback();
      } else {
        coordinator.transactions().commit();
      }
      System.out.println("MOVED");
    } finally {
      if (coordinator.transactions().getTransaction() != null) {
        coordinator.transactions().rollback();
      }
      session.close();
      sql.close();
    }
  }

  private XAResource resource(String name, XAResource resource) {
    return new FailingResource(name, resource, failpoint);
  }

  private void step(XASession session, Connection database) throws Exception {
    Queue from = session.createQueue(QUEUES[random.nextInt(2)]);
    Queue to = session.createQueue(QUEUES[random.nextInt(2)]);
    switch (random.nextInt(3)) {
      case 0 -> {
        Integer token = receive(session, from);
        if (token != null) {
          Tokens.put(database, token);
        }
      }
      case 1 -> {
        int token = Tokens.take(database);
        if (token >= 0) {
          session.createProducer(to).send(session.createTextMessage(Integer.toString(token)));
        }
      }
      default -> {
        Integer token = receive(session, from);
        if (token != null) {
          session.createProducer(to).send(session.createTextMessage(Integer.toString(token)));
        }
        int other = Tokens.take(database);
        if (other >= 0) {
          session.createProducer(from).send(session.createTextMessage(Integer.toString(other)));
        }
      }
    }
  }

  private static Integer receive(XASession session, Queue queue) throws Exception {
    try (MessageConsumer consumer = session.createConsumer(queue)) {
      Message message = consumer.receiveNoWait();
      return message == null ? null : Integer.valueOf(message.getBody(String.class));
    }
  }

  /** Recovers until nothing is in doubt here or there. */
  private void settle() throws Exception {
    for (int pass = 0; pass < RECOVERY_PASSES; pass++) {
      coordinator.recover();
      try {
        int left = inDoubt(helper.getXAResources()[0]) + inDoubt(database());
        if (left == 0) {
          return;
        }
        System.out.println("IN DOUBT " + left);
      } catch (Exception brokerAway) {
        System.out.println("RECOVERY AGAIN after " + brokerAway);
        LockSupport.parkNanos(200_000_000L);
      }
    }
    throw new IllegalStateException(
        "still in doubt after " + RECOVERY_PASSES + " passes of recovery");
  }

  private XAResource database() throws Exception {
    return tokens.source().getXAConnection().getXAResource();
  }

  private static int inDoubt(XAResource resource) throws Exception {
    Xid[] xids = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
    return xids.length;
  }

  private void audit() throws Exception {
    settle();
    List<Integer> found = new ArrayList<>();
    javax.sql.XAConnection sql = tokens.source().getXAConnection();
    try (Connection connection = sql.getConnection()) {
      found.addAll(Tokens.all(connection));
    } finally {
      sql.close();
    }
    int inTable = found.size();
    try (XAConnection connection = factory.createXAConnection()) {
      connection.start();
      XASession session = connection.createXASession();
      for (String queue : QUEUES) {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
          for (Message message = consumer.receive(500);
              message != null;
              message = consumer.receiveNoWait()) {
            found.add(Integer.valueOf(message.getBody(String.class)));
          }
        }
      }
    }
    Collections.sort(found);
    System.out.println("IN TABLE " + inTable);
    System.out.println("FOUND " + found);
    coordinator.close();
  }
}
