package io.metaq.containers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A bean that can never process its messages. */
@MessageDriven(
    messageListenerInterface = MessageListener.class,
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/poison"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue"),
      @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "1")
    })
public class PoisonBean extends Listener {
  @EJB private Table table;
  @Resource private MessageDrivenContext context;

  @Override
  Table table() {
    return table;
  }

  @Override
  @TransactionAttribute(TransactionAttributeType.REQUIRED)
  public void onMessage(Message message) {
    super.onMessage(message);
  }

  @Override
  void afterRow(Message message) {
    throw new IllegalArgumentException("This message is poison in " + context);
  }
}
