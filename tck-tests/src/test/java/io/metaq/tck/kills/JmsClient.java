package io.metaq.tck.kills;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32C;

/**
 * Main class of a client process that is killed. Arguments: what it does, the URL, a number. What
 * it has done it says on its output, a line each.
 */
final class JmsClient {
  static final String QUEUE = "q";

  private JmsClient() {}

  public static void main(String[] arguments) throws Exception {
    int number = Integer.parseInt(arguments[2]);
    try (Connection connection = new MetaqConnectionFactory(arguments[1]).createConnection()) {
      connection.start();
      switch (arguments[0]) {
        case "listen" -> listen(connection);
        case "receive" -> receive(connection, number);
        case "send" -> send(connection, number, false);
        case "commit" -> send(connection, number, true);
        case "take" -> take(connection);
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static String told(Message message) throws JMSException {
    return "GOT "
        + message.getBody(String.class)
        + " "
        + message.getIntProperty("JMSXDeliveryCount")
        + " "
        + message.getJMSRedelivered();
  }

  /** A listener that never returns. */
  private static void listen(Connection connection) throws Exception {
    Session session = connection.createSession();
    CountDownLatch never = new CountDownLatch(1);
    session
        .createConsumer(session.createQueue(QUEUE))
        .setMessageListener(
            message -> {
              try {
                say(told(message));
                never.await();
              } catch (JMSException | InterruptedException e) {
                say("FAILED " + e);
              }
            });
    never.await();
  }

  /** Takes some and acknowledges none. */
  private static void receive(Connection connection, int count) throws Exception {
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
    for (int i = 0; i < count; i++) {
      say(told(consumer.receive()));
    }
    say("HOLDING");
    new CountDownLatch(1).await();
  }

  private static void send(Connection connection, int size, boolean transacted) throws Exception {
    Session session =
        connection.createSession(
            transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
    Queue queue = session.createQueue(QUEUE);
    BytesMessage message = session.createBytesMessage();
    Random random = new Random(size);
    byte[] piece = new byte[50_000];
    for (int left = size; left > 0; left -= piece.length) {
      random.nextBytes(piece);
      message.writeBytes(piece, 0, Math.min(left, piece.length));
    }
    try {
      session.createProducer(queue).send(message);
      if (transacted) {
        session.commit();
      }
      say("SENT");
    } catch (TransactionRolledBackException e) {
      say("ROLLED BACK");
    }
  }

  /** What the messages of {@link #send} of this size hold. */
  static long digest(int size) {
    Random random = new Random(size);
    CRC32C digest = new CRC32C();
    byte[] piece = new byte[50_000];
    for (int left = size; left > 0; left -= piece.length) {
      random.nextBytes(piece);
      digest.update(piece, 0, Math.min(left, piece.length));
    }
    return digest.getValue();
  }

  static long digest(Message message) throws JMSException {
    CRC32C digest = new CRC32C();
    byte[] piece = new byte[50_000];
    BytesMessage body = (BytesMessage) message;
    for (int read = body.readBytes(piece); read > 0; read = body.readBytes(piece)) {
      digest.update(piece, 0, read);
    }
    return digest.getValue();
  }

  private static void take(Connection connection) throws Exception {
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
    while (true) {
      Message message = consumer.receive();
      say("GOT " + digest(message));
      try {
        message.acknowledge();
        say("DONE");
        return;
      } catch (JMSException e) {
        say("AGAIN " + e.getMessage());
      }
    }
  }
}
