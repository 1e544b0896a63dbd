package io.metaq.tck.transactions;

import io.metaq.jms.MetaqXAConnectionFactory;
import io.metaq.jms.narayana.MetaqRecoveryHelper;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.Transaction;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program that halts when both its resources are prepared and the first is to commit ({@code halt
 * <url> <directory>}), and its successor, which recovers every two seconds ({@code recover ...}).
 */
public final class HaltAfterPrepare {
  private HaltAfterPrepare() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[2]);
    System.setProperty("derby.stream.error.file", directory.resolve("derby.log").toString());
    MetaqXAConnectionFactory factory = new MetaqXAConnectionFactory(arguments[1]);
    Tokens tokens = new Tokens(directory.resolve("tokens"));
    Coordinator coordinator =
        new Coordinator(
            directory.resolve("coordinator"),
            "halting",
            2,
            List.of(new MetaqRecoveryHelper(factory), new DerbyRecoveryHelper(tokens.source())));
    if (arguments[0].equals("recover")) {
      System.out.println("RECOVERING");
      new CountDownLatch(1).await();
    }
    Failpoint halt = Failpoint.parse("db.commit.before:1:application", 0);
    coordinator.transactions().begin();
    try (XAConnection connection = factory.createXAConnection()) {
      XASession session = connection.createXASession();
      javax.sql.XAConnection sql = tokens.source().getXAConnection();
      Transaction transaction = coordinator.transactions().getTransaction();
      transaction.enlistResource(new FailingResource("db", sql.getXAResource(), halt));
      transaction.enlistResource(session.getXAResource());
      Tokens.put(sql.getConnection(), 1);
      session
          .createProducer(session.createQueue("q"))
          .send(session.createTextMessage("sent before the halt"));
      coordinator.transactions().commit();
    }
  }
}
