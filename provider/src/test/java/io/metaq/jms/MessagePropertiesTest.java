package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagePropertiesTest {

  private final MetaqMessage message = Wire.factory().createMessage();

  private interface Reader {
    Object read(Message message, String name) throws JMSException;
  }

  private static final Map<String, Reader> READERS = new LinkedHashMap<>();

  static {
    READERS.put("boolean", Message::getBooleanProperty);
    READERS.put("byte", Message::getByteProperty);
    READERS.put("short", Message::getShortProperty);
    READERS.put("int", Message::getIntProperty);
    READERS.put("long", Message::getLongProperty);
    READERS.put("float", Message::getFloatProperty);
    READERS.put("double", Message::getDoubleProperty);
    READERS.put("String", Message::getStringProperty);
  }

  /** Row: value as set; then per reader the value read, or null for a format exception. */
  private static final Object[][] TABLE = {
    {true, true, null, null, null, null, null, null, "true"},
    {(byte) -7, null, (byte) -7, (short) -7, -7, -7L, null, null, "-7"},
    {(short) 300, null, null, (short) 300, 300, 300L, null, null, "300"},
    {70_000, null, null, null, 70_000, 70_000L, null, null, "70000"},
    {1L << 40, null, null, null, null, 1L << 40, null, null, "" + (1L << 40)},
    {1.5f, null, null, null, null, null, 1.5f, 1.5d, "1.5"},
    {2.5d, null, null, null, null, null, null, 2.5d, "2.5"},
    {"1", false, (byte) 1, (short) 1, 1, 1L, 1f, 1d, "1"},
  };

  @Test
  void aPropertyIsReadAsTheTypesOfTheConversionTableAndNoOther() throws JMSException {
    for (Object[] row : TABLE) {
      message.setObjectProperty("p", row[0]);
      assertThat(message.getObjectProperty("p")).isEqualTo(row[0]);
      int column = 1;
      for (Map.Entry<String, Reader> reader : READERS.entrySet()) {
        Object expected = row[column++];
        if (expected == null) {
          assertThatThrownBy(() -> reader.getValue().read(message, "p"))
              .as("%s as %s", row[0], reader.getKey())
              .isInstanceOf(MessageFormatException.class);
        } else {
          assertThat(reader.getValue().read(message, "p"))
              .as("%s as %s", row[0], reader.getKey())
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aStringThatIsNoNumberIsANumberFormatException() throws JMSException {
    message.setStringProperty("p", "many");
    for (String type : new String[] {"byte", "short", "int", "long", "float", "double"}) {
      assertThatThrownBy(() -> READERS.get(type).read(message, "p"))
          .as(type)
          .isInstanceOf(NumberFormatException.class);
    }
    assertThat(message.getBooleanProperty("p")).isFalse();
    message.setStringProperty("p", "TRUE");
    assertThat(message.getBooleanProperty("p")).isTrue();
  }

  @Test
  void anAbsentPropertyIsReadAsNullIs() throws JMSException {
    message.setStringProperty("empty", null);
    for (String name : new String[] {"absent", "empty"}) {
      assertThat(message.getObjectProperty(name)).isNull();
      assertThat(message.getStringProperty(name)).isNull();
      assertThat(message.getBooleanProperty(name)).isFalse();
      for (String type : new String[] {"byte", "short", "int", "long"}) {
        assertThatThrownBy(() -> READERS.get(type).read(message, name))
            .isInstanceOf(NumberFormatException.class);
      }
      assertThatThrownBy(() -> message.getFloatProperty(name))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> message.getDoubleProperty(name))
          .isInstanceOf(NullPointerException.class);
    }
    assertThat(message.propertyExists("absent")).isFalse();
    assertThat(message.propertyExists("empty")).isTrue();
    assertThat(message.propertyExists(null)).isFalse();
  }

  @Test
  void aNullOrEmptyNameIsAnIllegalArgument() {
    for (String name : new String[] {null, ""}) {
      assertThatThrownBy(() -> message.setIntProperty(name, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> message.setObjectProperty(name, "x"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1a", "a-b", "a.b", "a b", "NULL", "ESCAPE", "JMSType", "JMSFoo"})
  void aNameThatNoSelectorCouldUseIsRefused(String name) {
    assertThatThrownBy(() -> message.setStringProperty(name, "x"))
        .isInstanceOf(JMSException.class)
        .hasMessageContaining(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "_a1", "$", "é", "JMSXGroupID", "JMS_Vendor_x", "android", "nullable"})
  void anyJavaIdentifierIsAName(String name) throws JMSException {
    message.setStringProperty(name, "x");
    assertThat(message.getStringProperty(name)).isEqualTo("x");
  }

  @Test
  void aValueOfAnotherTypeIsAFormatException() {
    assertThatThrownBy(() -> message.setObjectProperty("p", new Date()))
        .isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(() -> message.setObjectProperty("p", 'c'))
        .isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(() -> message.setObjectProperty("p", new byte[1]))
        .isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(() -> message.setIntProperty("JMSXGroupID", 1))
        .isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(() -> message.setStringProperty("JMSXGroupSeq", "1"))
        .isInstanceOf(MessageFormatException.class);
  }

  @Test
  void receivedPropertiesAreReadOnlyUntilCleared() throws JMSException {
    message.setIntProperty("n", 1);
    MetaqMessage received = Wire.roundTrip(message);
    assertThatThrownBy(() -> received.setIntProperty("m", 2))
        .isInstanceOf(MessageNotWriteableException.class);
    assertThat(received.getIntProperty("n")).isEqualTo(1);
    received.clearProperties();
    assertThat(received.getPropertyNames().hasMoreElements()).isFalse();
    received.setIntProperty("m", 2);
    assertThat(received.getIntProperty("m")).isEqualTo(2);
  }

  @Test
  void clearingPropertiesLeavesBodyAndHeadersAlone() throws JMSException {
    MetaqTextMessage text = Wire.factory().createTextMessage("x");
    text.setJMSType("t");
    text.setIntProperty("n", 1);
    MetaqTextMessage received = Wire.roundTrip(text);
    received.clearProperties();
    assertThat(received.getText()).isEqualTo("x");
    assertThat(received.getJMSType()).isEqualTo("t");
    assertThatThrownBy(() -> received.setText("y"))
        .isInstanceOf(MessageNotWriteableException.class);
  }

  @Test
  void everyTypeOfValueTravels() throws JMSException {
    Object[] values = {
      true, (byte) 1, (short) 2, 3, 4L, 5f, 6d, "seven", "", null, Float.NaN, Long.MIN_VALUE
    };
    for (int i = 0; i < values.length; i++) {
      message.setObjectProperty("p" + i, values[i]);
    }
    message.setStringProperty("JMSXGroupID", "g");
    message.setIntProperty("JMSXGroupSeq", 0);
    MetaqMessage received = Wire.roundTrip(message);
    for (int i = 0; i < values.length; i++) {
      assertThat(received.getObjectProperty("p" + i)).isEqualTo(values[i]);
    }
    assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
    assertThat(received.getIntProperty("JMSXGroupSeq")).isZero();
    assertThat(Collections.list(received.getPropertyNames())).contains("p0", "JMSXGroupID");
  }

  @Test
  void theGroupStandsInTheFieldsTheBrokerLooksAt() throws JMSException {
    message.setStringProperty("JMSXGroupID", "g");
    message.setIntProperty("JMSXGroupSeq", 3);
    OutgoingMessage sent = Wire.send(message);
    assertThat(sent.block().groupId()).isEqualTo("g");
    assertThat(sent.block().groupSequence()).isEqualTo(3);
    assertThat(sent.block().properties()).isEmpty();
    MetaqMessage received = Wire.receive(sent, 1);
    assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
  }

  @Test
  void aSequenceWithoutGroupIsAPropertyLikeAnyOther() throws JMSException {
    message.setIntProperty("JMSXGroupSeq", 3);
    assertThat(Wire.send(message).block().groupSequence()).isZero();
    assertThat(Wire.roundTrip(message).getIntProperty("JMSXGroupSeq")).isEqualTo(3);
  }

  @Test
  void whatTheProviderSetsDoesNotTravelOn() throws JMSException {
    MetaqMessage first = Wire.receive(Wire.send(message), 3);
    assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
    assertThat(first.getJMSRedelivered()).isTrue();
    MetaqMessage second = Wire.roundTrip(first);
    assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(second.getJMSRedelivered()).isFalse();
    message.setIntProperty("JMSXDeliveryCount", 9);
    message.setStringProperty("JMS_MetaQ_Reason", "x");
    assertThat(Wire.send(message).block().properties()).isEmpty();
  }
}
