package io.metaq.containers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** What a test asks for, done with transactions that the bean itself demarcates. */
@Stateless
@TransactionManagement(TransactionManagementType.BEAN)
public class Commands {
  private static final String[] TRANSACTION_MANAGERS = {
    "java:jboss/TransactionManager", "java:appserver/TransactionManager"
  };

  @Resource(name = "jms/factory")
  private ConnectionFactory factory;

  @Resource private UserTransaction transaction;
  @EJB private Table table;

  /** Sends and inserts a row in one transaction. */
  public String send(String queue, String text, boolean commit) throws Exception {
    transaction.begin();
    try (JMSContext context = factory.createContext()) {
      context.createProducer().send(context.createQueue(queue), text);
      table.insert("send", text);
    }
    end(commit);
    return "sent";
  }

  /** Receives, in the classic API, and inserts a row in one transaction. */
  public String receive(String queue, boolean commit) throws Exception {
    transaction.begin();
    String text = null;
    try (Connection connection = factory.createConnection()) {
      connection.start();
      text = receiveText(connection, queue);
      if (text != null) {
        table.insert("receive", text);
      }
    } finally {
      end(commit);
    }
    return text == null ? "nothing" : text;
  }

  private static String receiveText(Connection connection, String queue) throws JMSException {
    Session session = connection.createSession();
    MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
    TextMessage message = (TextMessage) consumer.receive(5_000);
    return message == null ? null : message.getText();
  }

  private void end(boolean commit) throws Exception {
    if (commit) {
      transaction.commit();
    } else {
      transaction.rollback();
    }
  }

  /** Ends the server, without any farewell, when all resources are prepared and none committed. */
  public String halt(String queue, String text) throws Exception {
    transaction.begin();
    transactionManager().getTransaction().enlistResource(new HaltingResource());
    try (JMSContext context = factory.createContext()) {
      context.createProducer().send(context.createQueue(queue), text);
    }
    transaction.commit();
    return "still alive";
  }

  private static TransactionManager transactionManager() throws Exception {
    NamingException last = null;
    for (String name : TRANSACTION_MANAGERS) {
      try {
        return (TransactionManager) new InitialContext().lookup(name);
      } catch (NamingException e) {
        last = e;
      }
    }
    return libertys(last);
  }

  /** Open Liberty binds it to no name. */
  private static TransactionManager libertys(NamingException unbound) throws Exception {
    try {
      return (TransactionManager)
          Class.forName("com.ibm.tx.jta.TransactionManagerFactory")
              .getMethod("getTransactionManager")
              .invoke(null);
    } catch (ClassNotFoundException e) {
      unbound.addSuppressed(e);
      throw unbound;
    }
  }
}
