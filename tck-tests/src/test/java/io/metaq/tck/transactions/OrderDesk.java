package io.metaq.tck.transactions;

import io.metaq.jms.MetaqXAConnectionFactory;
import io.metaq.jms.narayana.MetaqRecoveryHelper;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.Transaction;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.XADataSource;
import org.apache.derby.jdbc.EmbeddedXADataSource;

/**
 * The example of {@code docs/transactions.md}: takes an order from a queue, writes it into a table
 * and sends an answer, all three or none, with Narayana as the coordinator and Derby as the
 * database.
 *
 * <p>Run it with the broker's URL and a directory for the database and the coordinator's log.
 */
public final class OrderDesk implements AutoCloseable {
  private final EmbeddedXADataSource database = new EmbeddedXADataSource();
  private final MetaqXAConnectionFactory broker;
  private final Coordinator coordinator;

  OrderDesk(String url, Path directory) throws Exception {
    database.setDatabaseName(directory.resolve("orders").toString());
    database.setCreateDatabase("create");
    broker = new MetaqXAConnectionFactory(url);
    coordinator =
        new Coordinator(
            directory.resolve("coordinator"),
            "order-desk",
            10,
            List.of(new MetaqRecoveryHelper(broker), new DerbyRecoveryHelper(database)));
    createTable();
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("usage: OrderDesk <broker url> <directory>");
    }
    try (OrderDesk desk = new OrderDesk(arguments[0], Path.of(arguments[1]))) {
      int orders = desk.work(2_000);
      System.out.println("No more orders; " + orders + " written, all answered.");
    }
  }

  /** Works until no order has come for so long; answers how many it wrote. */
  int work(long patienceMillis) throws Exception {
    try (XAConnection connection = broker.createXAConnection()) {
      connection.start();
      int orders = 0;
      while (handleOne(connection, patienceMillis)) {
        orders++;
      }
      return orders;
    }
  }

  private boolean handleOne(XAConnection connection, long patienceMillis) throws Exception {
    javax.sql.XAConnection sql = database.getXAConnection();
    coordinator.transactions().begin();
    boolean done = false;
    try (XASession session = connection.createXASession()) {
      Transaction transaction = coordinator.transactions().getTransaction();
      transaction.enlistResource(session.getXAResource());
      transaction.enlistResource(sql.getXAResource());
      MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
      Message order = consumer.receive(patienceMillis);
      if (order != null) {
        String text = order.getBody(String.class);
        insert(sql.getConnection(), text);
        TextMessage answer = session.createTextMessage("written: " + text);
        MessageProducer producer = session.createProducer(session.createQueue("answers"));
        producer.send(answer);
        done = true;
      }
      if (done) {
        coordinator.transactions().commit();
      } else {
        coordinator.transactions().rollback();
      }
      return done;
    } catch (Exception failed) {
      if (coordinator.transactions().getTransaction() != null) {
        coordinator.transactions().rollback();
      }
      throw failed;
    } finally {
      sql.close();
    }
  }

  private static void insert(Connection connection, String text) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (text) VALUES (?)")) {
      insert.setString(1, text);
      insert.executeUpdate();
    }
  }

  private void createTable() throws SQLException {
    javax.sql.XAConnection sql = database.getXAConnection();
    try (Connection connection = sql.getConnection();
        Statement create = connection.createStatement()) {
      create.executeUpdate("CREATE TABLE orders (text VARCHAR(200))");
    } catch (SQLException exists) {
      if (!"X0Y32".equals(exists.getSQLState())) {
        throw exists;
      }
    } finally {
      sql.close();
    }
  }

  XADataSource database() {
    return database;
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
