package io.metaq.containers.app;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import java.sql.SQLException;

/** What the beans have in common: a row for each message that comes. */
abstract class Listener implements MessageListener {
  abstract Table table();

  abstract void afterRow(Message message) throws JMSException;

  @Override
  public void onMessage(Message message) {
    try {
      table().insert(getClass().getSimpleName(), ((TextMessage) message).getText());
      afterRow(message);
    } catch (SQLException | JMSException e) {
      throw new IllegalStateException("The message cannot be processed: " + e.getMessage(), e);
    }
  }
}
