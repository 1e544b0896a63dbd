package io.metaq.containers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.sql.SQLException;

/** What a test asks for, done in transactions of the container, with an injected factory. */
@Stateless
public class ManagedCommands {
  @Resource(name = "jms/factory")
  private ConnectionFactory factory;

  @Resource private SessionContext session;
  @EJB private Table table;

  /** Sends and inserts a row in one transaction. */
  public String send(String queue, String text, boolean commit) throws SQLException {
    try (JMSContext context = factory.createContext()) {
      context.createProducer().send(context.createQueue(queue), text);
    }
    table.insert("inject", text);
    if (!commit) {
      session.setRollbackOnly();
    }
    return "sent";
  }
}
