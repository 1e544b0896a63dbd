package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForeignMessageTest {

  private final MessageFactory factory = Wire.factory();

  /** The same message seen only through its interface, so that it is none of ours. */
  private static <M extends Message> M foreign(Class<M> type, M delegate) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return method.invoke(delegate, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }

  @Test
  void everyKindOfBodyIsCopied() throws JMSException {
    MetaqBytesMessage bytes = factory.createBytesMessage();
    bytes.writeBytes(new byte[40_000]);
    bytes.writeLong(5);
    BytesMessage copy = (BytesMessage) factory.toMetaq(foreign(BytesMessage.class, bytes));
    assertThat(copy.getBody(byte[].class)).hasSize(40_008).endsWith(0, 5);

    MetaqMapMessage map = factory.createMapMessage();
    map.setChar("c", 'x');
    map.setObject("n", null);
    MapMessage mapCopy = (MapMessage) factory.toMetaq(foreign(MapMessage.class, map));
    assertThat(mapCopy.getChar("c")).isEqualTo('x');
    assertThat(mapCopy.itemExists("n")).isTrue();

    MetaqStreamMessage stream = factory.createStreamMessage();
    stream.writeInt(1);
    stream.writeString(null);
    StreamMessage streamCopy =
        (StreamMessage) factory.toMetaq(foreign(StreamMessage.class, stream));
    streamCopy.reset();
    assertThat(streamCopy.readInt()).isEqualTo(1);
    assertThat(streamCopy.readString()).isNull();

    TextMessage text = foreign(TextMessage.class, factory.createTextMessage("x"));
    assertThat(factory.toMetaq(text).getBody(String.class)).isEqualTo("x");
    TextMessage noText = foreign(TextMessage.class, factory.createTextMessage(null));
    assertThat(factory.toMetaq(noText).getBody(String.class)).isNull();
    ObjectMessage object = foreign(ObjectMessage.class, factory.createObjectMessage(7));
    assertThat(factory.toMetaq(object).getBody(Integer.class)).isEqualTo(7);
    Message plain = foreign(Message.class, factory.createMessage());
    assertThat(factory.toMetaq(plain)).isExactlyInstanceOf(MetaqMessage.class);
  }

  @Test
  void headersOfTheClientAndPropertiesAreCopiedButNotWhatAProviderSets() throws JMSException {
    MetaqMessage original = factory.createMessage();
    original.setJMSCorrelationID("c");
    original.setJMSType("t");
    original.setJMSReplyTo((Queue) () -> "answers");
    original.setIntProperty("n", 1);
    original.setStringProperty("JMSXGroupID", "g");
    original.setIntProperty("JMSXDeliveryCount", 4);
    original.setJMSPriority(9);
    MetaqMessage copy = factory.toMetaq(foreign(Message.class, original));
    assertThat(copy.getJMSCorrelationID()).isEqualTo("c");
    assertThat(copy.getJMSType()).isEqualTo("t");
    assertThat(Wire.roundTrip(copy).getJMSReplyTo()).isEqualTo(new MetaqQueue("answers"));
    assertThat(copy.getIntProperty("n")).isEqualTo(1);
    assertThat(copy.getStringProperty("JMSXGroupID")).isEqualTo("g");
    assertThat(copy.propertyExists("JMSXDeliveryCount")).isFalse();
    assertThat(copy.getJMSPriority()).isEqualTo(4);
  }

  @Test
  void aForeignCorrelationIdOfBytesIsCopied() throws JMSException {
    MetaqMessage original = factory.createMessage();
    byte[] bytes = {1, (byte) 200};
    Message bytesOnly =
        (Message)
            Proxy.newProxyInstance(
                Message.class.getClassLoader(),
                new Class<?>[] {Message.class},
                (self, method, arguments) ->
                    switch (method.getName()) {
                      case "getJMSCorrelationID" -> null;
                      case "getJMSCorrelationIDAsBytes" -> bytes;
                      default -> method.invoke(original, arguments);
                    });
    assertThat(factory.toMetaq(bytesOnly).getJMSCorrelationIDAsBytes()).isEqualTo(bytes);
  }

  @Test
  void theForeignMessageGetsTheHeadersOfTheSendBack() throws JMSException {
    MetaqMessage delegate = factory.createMessage();
    Message original = foreign(Message.class, delegate);
    MetaqMessage sent = factory.toMetaq(original);
    sent.setJMSDestination(new MetaqQueue("orders"));
    sent.setJMSMessageID("ID:1");
    sent.setJMSTimestamp(1);
    sent.setJMSExpiration(2);
    sent.setJMSDeliveryTime(3);
    sent.setJMSPriority(7);
    sent.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
    ForeignMessageCopier.copyHeadersBack(sent, original);
    assertThat(
            Map.of(
                "destination", original.getJMSDestination(),
                "id", original.getJMSMessageID(),
                "timestamp", original.getJMSTimestamp(),
                "expiration", original.getJMSExpiration(),
                "deliveryTime", original.getJMSDeliveryTime(),
                "priority", original.getJMSPriority(),
                "mode", original.getJMSDeliveryMode()))
        .isEqualTo(
            Map.of(
                "destination",
                new MetaqQueue("orders"),
                "id",
                "ID:1",
                "timestamp",
                1L,
                "expiration",
                2L,
                "deliveryTime",
                3L,
                "priority",
                7,
                "mode",
                DeliveryMode.NON_PERSISTENT));
  }

  @Test
  void ourOwnMessageIsSentItselfAndNullIsAFormatException() throws JMSException {
    MetaqMessage own = factory.createMessage();
    assertThat(factory.toMetaq(own)).isSameAs(own);
    assertThatThrownBy(() -> factory.toMetaq(null)).isInstanceOf(MessageFormatException.class);
  }
}
