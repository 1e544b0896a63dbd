package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.body.Body;
import io.metaq.body.BodyCodec;
import io.metaq.body.BodyStorage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TextAndObjectMessageTest {

  private static final AtomicInteger DESERIALIZED = new AtomicInteger();

  /** Counts how often it comes to life. */
  static final class Order implements Serializable {
    private static final long serialVersionUID = 1L;
    int number = 7;
    Item item = new Item();

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      DESERIALIZED.incrementAndGet();
      in.defaultReadObject();
    }
  }

  static final class Item implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  private static MetaqObjectMessage objectMessage(String allow, String deny) {
    DeserializationPolicy policy = DeserializationPolicy.of(allow, deny);
    return new MessageFactory(new MessageSettings(new BodyStorage(), policy, -1, BodyCodec.DEFLATE))
        .createObjectMessage();
  }

  @Test
  void aTextArrivesAsItWas() throws JMSException {
    for (String text :
        new String[] {null, "", "x", "é\u0000\uD83D\uDE00", "\uD800", "x".repeat(99_999)}) {
      MetaqTextMessage received = Wire.roundTrip(Wire.factory().createTextMessage(text));
      assertThat(received.getText()).isEqualTo(text);
      assertThat(Wire.roundTrip(received).getText()).isEqualTo(text);
    }
  }

  @Test
  void aReceivedTextIsReadOnlyUntilCleared() throws JMSException {
    MetaqTextMessage received = Wire.roundTrip(Wire.factory().createTextMessage("x"));
    assertThatThrownBy(() -> received.setText("y"))
        .isInstanceOf(MessageNotWriteableException.class);
    received.clearBody();
    assertThat(received.getText()).isNull();
    received.setText("y");
    assertThat(Wire.roundTrip(received).getText()).isEqualTo("y");
  }

  @Test
  void aTextBodyIsAStringOrWhatAStringIs() throws JMSException {
    MetaqTextMessage text = Wire.factory().createTextMessage();
    assertThat(text.isBodyAssignableTo(Integer.class)).isTrue();
    assertThat(text.getBody(Integer.class)).isNull();
    text.setText("x");
    assertThat(text.isBodyAssignableTo(CharSequence.class)).isTrue();
    assertThat(text.isBodyAssignableTo(Integer.class)).isFalse();
    assertThat(text.getBody(CharSequence.class)).isEqualTo("x");
    assertThatThrownBy(() -> text.getBody(Integer.class))
        .isInstanceOf(MessageFormatException.class);
    MetaqMessage plain = Wire.factory().createMessage();
    assertThat(plain.isBodyAssignableTo(Integer.class)).isTrue();
    assertThat(plain.getBody(Integer.class)).isNull();
  }

  @Test
  void basicValuesAndCollectionsNeedNoConfiguration() throws JMSException {
    Map<String, Serializable> map = new HashMap<>();
    map.put("a", new BigDecimal("1.5"));
    List<Serializable> objects =
        List.of(
            "x",
            1,
            new StringBuffer("x").toString(),
            new int[][] {{1}},
            new String[] {"a"},
            BigInteger.TEN,
            UUID.randomUUID(),
            new Date(1),
            Instant.EPOCH,
            (Serializable) List.of(1, 2),
            (Serializable) Map.of("k", 1),
            (Serializable) Arrays.asList(1, 2),
            new ArrayList<>(List.of(1)),
            new LinkedList<>(List.of(1)),
            new TreeMap<>(Map.of("a", 1)),
            new Vector<>(List.of(1)),
            new Properties(),
            Locale.GERMAN,
            (Serializable) map);
    for (Serializable object : objects) {
      MetaqObjectMessage received = Wire.roundTrip(Wire.factory().createObjectMessage(object));
      assertThat(received.getObject()).as("%s", object.getClass()).isEqualTo(object);
    }
    assertThat(Wire.roundTrip(Wire.factory().createObjectMessage(null)).getObject()).isNull();
  }

  @Test // Y3
  void anotherClassIsRefusedUnlessItIsAllowed() throws JMSException {
    assertRefused(objectMessage("", ""));
    assertRefused(objectMessage("io.metaq.*", ""));
    assertRefused(objectMessage("io.metaq.jms.Other,io.metaq.jmsx.*", ""));
    assertRefused(objectMessage("*", Order.class.getName()));
    assertRefused(objectMessage("*", "io.metaq.**"));
    assertAllowed(objectMessage("io.metaq.jms.*", ""));
    assertAllowed(objectMessage("io.metaq.**", ""));
    assertAllowed(objectMessage("*", ""));
    assertAllowed(objectMessage(Order.class.getName() + ", " + Item.class.getName(), "com.x.*"));
  }

  private static void assertAllowed(MetaqObjectMessage message) throws JMSException {
    message.setObject(new Order());
    assertThat(((Order) message.getObject()).number).isEqualTo(7);
  }

  private static void assertRefused(MetaqObjectMessage message) throws JMSException {
    message.setObject(new Order());
    assertThatThrownBy(message::getObject)
        .isInstanceOf(MessageFormatException.class)
        .hasMessageContaining("allowed classes");
    assertThat(message.isBodyAssignableTo(Order.class)).isFalse();
    assertThatThrownBy(() -> message.getBody(Order.class))
        .isInstanceOf(MessageFormatException.class);
  }

  @Test // Y3
  void allowingAClassDoesNotAllowWhatItRefersTo() throws JMSException {
    MetaqObjectMessage order = objectMessage(Order.class.getName(), "");
    assertRefused(order);
    assertThatThrownBy(order::getObject).hasMessageContaining(Item.class.getName());
    ArrayList<Serializable> list = new ArrayList<>(List.of(new Order()));
    MetaqObjectMessage message = objectMessage("", "");
    message.setObject(list);
    assertThatThrownBy(message::getObject).isInstanceOf(MessageFormatException.class);
    message.setObject(new Order[1]);
    assertThatThrownBy(message::getObject).isInstanceOf(MessageFormatException.class);
    message.setObject(TimeUnit.DAYS);
    assertThatThrownBy(message::getObject).isInstanceOf(MessageFormatException.class);
  }

  @Test
  void aPatternMustBeAClassAPackageOrAStar() {
    for (String bad : new String[] {"com.*.x", "a-b", "com/x", "*.x"}) {
      assertThatThrownBy(() -> DeserializationPolicy.of(bad, ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(bad);
    }
  }

  @Test // Y5
  void onlyAskingForTheObjectDeserializesIt() throws JMSException {
    DESERIALIZED.set(0);
    MetaqObjectMessage message = objectMessage("*", "");
    message.setObject(new Order());
    MetaqObjectMessage received = Wire.roundTrip(Wire.roundTrip(message));
    assertThat(received.toString()).isNotEmpty();
    received.acknowledge();
    assertThat(DESERIALIZED).hasValue(0);
    assertThat(message.getObject()).isNotSameAs(message.getObject());
    assertThat(DESERIALIZED).hasValue(2);
  }

  @Test
  void anObjectIsCopiedWhenItIsSet() throws JMSException {
    StringBuffer mutable = new StringBuffer("a");
    MetaqObjectMessage message = Wire.factory().createObjectMessage(mutable);
    mutable.append("b");
    assertThat(message.getObject()).hasToString("a");
    assertThat(Wire.roundTrip(message).getBody(StringBuffer.class)).hasToString("a");
  }

  @Test
  void anObjectThatCannotBeSerializedIsAFormatException() {
    Serializable bad = (Serializable) new ArrayList<>(List.of(new Object()));
    assertThatThrownBy(() -> Wire.factory().createObjectMessage(bad))
        .isInstanceOf(MessageFormatException.class)
        .hasCauseInstanceOf(NotSerializableException.class);
  }

  @Test
  void aReceivedObjectIsReadOnlyUntilCleared() throws JMSException {
    MetaqObjectMessage received = Wire.roundTrip(Wire.factory().createObjectMessage("x"));
    assertThatThrownBy(() -> received.setObject("y"))
        .isInstanceOf(MessageNotWriteableException.class);
    received.clearBody();
    assertThat(received.getObject()).isNull();
    received.setObject("y");
    assertThat(Wire.roundTrip(received).getObject()).isEqualTo("y");
  }

  @Test
  void theContextClassLoaderIsAskedFirst() throws JMSException {
    List<String> asked = new ArrayList<>();
    ClassLoader loader =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          public Class<?> loadClass(String name) throws ClassNotFoundException {
            asked.add(name);
            return super.loadClass(name);
          }
        };
    MetaqObjectMessage message = objectMessage("*", "");
    message.setObject(new Order());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      message.getObject();
      thread.setContextClassLoader(new ClassLoader(null) {});
      assertThat(message.getObject()).isInstanceOf(Order.class);
      thread.setContextClassLoader(null);
      assertThat(message.getObject()).isInstanceOf(Order.class);
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThat(asked).contains(Order.class.getName());
  }

  @Test
  void damagedBodiesOfAllKindsFailWithAJmsExceptionAndNothingElse() throws Exception {
    MessageFactory factory = Wire.factory();
    MetaqMapMessage map = factory.createMapMessage();
    map.setString("name", "value");
    map.setBytes("bytes", new byte[20]);
    MetaqStreamMessage stream = factory.createStreamMessage();
    stream.writeString("value");
    stream.writeObject(5L);
    stream.writeBytes(new byte[20]);
    MetaqMessage[] messages = {
      map,
      stream,
      factory.createTextMessage("text é"),
      factory.createObjectMessage(new ArrayList<>(List.of("a", 1, Map.of("k", new Date()))))
    };
    Random random = new Random(99);
    for (MetaqMessage message : messages) {
      OutgoingMessage sent = Wire.send(message);
      byte[] good = sent.payload().toByteArray();
      for (int i = 0; i < 3_000; i++) {
        byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
        for (int flips = 1 + random.nextInt(3); flips > 0 && bad.length > 0; flips--) {
          bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
        }
        readAll(factory.received(sent.block(), Body.of(bad), 1));
      }
    }
  }

  private static void readAll(MetaqMessage message) {
    try {
      if (message instanceof MetaqStreamMessage stream) {
        while (true) {
          stream.readObject();
        }
      }
      message.getBody(Object.class);
    } catch (JMSException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
