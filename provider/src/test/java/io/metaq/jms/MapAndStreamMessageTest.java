package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MapAndStreamMessageTest {

  private interface MapReader {
    Object read(MapMessage message, String name) throws JMSException;
  }

  private interface StreamReader {
    Object read(StreamMessage message) throws JMSException;
  }

  private static final Map<String, MapReader> MAP = new LinkedHashMap<>();
  private static final Map<String, StreamReader> STREAM = new LinkedHashMap<>();

  static {
    MAP.put("boolean", MapMessage::getBoolean);
    MAP.put("byte", MapMessage::getByte);
    MAP.put("short", MapMessage::getShort);
    MAP.put("char", MapMessage::getChar);
    MAP.put("int", MapMessage::getInt);
    MAP.put("long", MapMessage::getLong);
    MAP.put("float", MapMessage::getFloat);
    MAP.put("double", MapMessage::getDouble);
    MAP.put("String", MapMessage::getString);
    MAP.put("byte[]", MapMessage::getBytes);
    STREAM.put("boolean", StreamMessage::readBoolean);
    STREAM.put("byte", StreamMessage::readByte);
    STREAM.put("short", StreamMessage::readShort);
    STREAM.put("char", StreamMessage::readChar);
    STREAM.put("int", StreamMessage::readInt);
    STREAM.put("long", StreamMessage::readLong);
    STREAM.put("float", StreamMessage::readFloat);
    STREAM.put("double", StreamMessage::readDouble);
    STREAM.put("String", StreamMessage::readString);
    STREAM.put(
        "byte[]",
        message -> {
          byte[] buffer = new byte[100];
          int n = message.readBytes(buffer);
          return n < 0 ? null : java.util.Arrays.copyOf(buffer, n);
        });
  }

  /** Row: value as written; then per type the value read, or null for a format exception. */
  private static final Object[][] TABLE = {
    {true, true, null, null, null, null, null, null, null, "true", null},
    {(byte) 7, null, (byte) 7, (short) 7, null, 7, 7L, null, null, "7", null},
    {(short) 7, null, null, (short) 7, null, 7, 7L, null, null, "7", null},
    {'c', null, null, null, 'c', null, null, null, null, "c", null},
    {7, null, null, null, null, 7, 7L, null, null, "7", null},
    {7L, null, null, null, null, null, 7L, null, null, "7", null},
    {1.5f, null, null, null, null, null, null, 1.5f, 1.5d, "1.5", null},
    {1.5d, null, null, null, null, null, null, null, 1.5d, "1.5", null},
    {"1", false, (byte) 1, (short) 1, null, 1, 1L, 1f, 1d, "1", null},
    {new byte[] {1}, null, null, null, null, null, null, null, null, null, new byte[] {1}},
  };

  @Test
  void mapEntriesAreReadAsTheConversionTableSays() throws JMSException {
    for (Object[] row : TABLE) {
      MetaqMapMessage written = Wire.factory().createMapMessage();
      written.setObject("e", row[0]);
      for (MapMessage message : new MapMessage[] {written, Wire.roundTrip(written)}) {
        int column = 1;
        for (Map.Entry<String, MapReader> reader : MAP.entrySet()) {
          Object expected = row[column++];
          if (expected == null) {
            assertThatThrownBy(() -> reader.getValue().read(message, "e"))
                .as("%s as %s", row[0], reader.getKey())
                .isInstanceOf(MessageFormatException.class);
          } else {
            assertThat(reader.getValue().read(message, "e")).isEqualTo(expected);
          }
        }
        assertThat(message.getObject("e")).isEqualTo(row[0]);
      }
    }
  }

  @Test
  void streamFieldsAreReadAsTheConversionTableSaysAndAFailureDoesNotMoveOn() throws JMSException {
    for (Object[] row : TABLE) {
      MetaqStreamMessage written = Wire.factory().createStreamMessage();
      written.writeObject(row[0]);
      MetaqStreamMessage message = Wire.roundTrip(written);
      int column = 1;
      for (Map.Entry<String, StreamReader> reader : STREAM.entrySet()) {
        Object expected = row[column++];
        if (expected == null) {
          assertThatThrownBy(() -> reader.getValue().read(message))
              .as("%s as %s", row[0], reader.getKey())
              .isInstanceOf(MessageFormatException.class);
        }
      }
      column = 1;
      for (Map.Entry<String, StreamReader> reader : STREAM.entrySet()) {
        Object expected = row[column++];
        if (expected != null) {
          assertThat(reader.getValue().read(message)).isEqualTo(expected);
          assertThatThrownBy(message::readObject).isInstanceOf(MessageEOFException.class);
          message.reset();
        }
      }
      assertThat(message.readObject()).isEqualTo(row[0]);
    }
  }

  @Test
  void aStringThatIsNoNumberIsANumberFormatExceptionAndCanBeReadAgain() throws JMSException {
    MetaqStreamMessage stream = Wire.factory().createStreamMessage();
    stream.writeString("x");
    stream.reset();
    MetaqMapMessage map = Wire.factory().createMapMessage();
    map.setString("e", "x");
    for (String type : new String[] {"byte", "short", "int", "long", "float", "double"}) {
      assertThatThrownBy(() -> STREAM.get(type).read(stream))
          .isInstanceOf(NumberFormatException.class);
      assertThatThrownBy(() -> MAP.get(type).read(map, "e"))
          .isInstanceOf(NumberFormatException.class);
    }
    assertThat(stream.readString()).isEqualTo("x");
  }

  @Test
  void aNullIsReadAsValueOfReadsIt() throws JMSException {
    MetaqStreamMessage written = Wire.factory().createStreamMessage();
    written.writeObject(null);
    MetaqStreamMessage stream = Wire.roundTrip(written);
    MetaqMapMessage map = Wire.factory().createMapMessage();
    map.setObject("null", null);
    for (String type : new String[] {"byte", "short", "int", "long"}) {
      assertThatThrownBy(() -> STREAM.get(type).read(stream))
          .isInstanceOf(NumberFormatException.class);
      assertThatThrownBy(() -> MAP.get(type).read(map, "null"))
          .isInstanceOf(NumberFormatException.class);
      assertThatThrownBy(() -> MAP.get(type).read(map, "absent"))
          .isInstanceOf(NumberFormatException.class);
    }
    for (String type : new String[] {"char", "float", "double"}) {
      assertThatThrownBy(() -> STREAM.get(type).read(stream))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> MAP.get(type).read(map, "absent"))
          .isInstanceOf(NullPointerException.class);
    }
    assertThat(map.getString("absent")).isNull();
    assertThat(map.getBytes("absent")).isNull();
    assertThat(map.getBoolean("absent")).isFalse();
    assertThat(map.itemExists("absent")).isFalse();
    assertThat(map.itemExists("null")).isTrue();
    assertThat(stream.readBytes(new byte[1])).isEqualTo(-1);
    stream.reset();
    assertThat(stream.readString()).isNull();
    stream.reset();
    assertThat(stream.readBoolean()).isFalse();
  }

  @Test
  void bytesAreCopiedInAndOut() throws JMSException {
    byte[] bytes = {1, 2, 3};
    MetaqMapMessage map = Wire.factory().createMapMessage();
    map.setBytes("all", bytes);
    map.setBytes("part", bytes, 1, 2);
    map.setObject("object", bytes);
    MetaqStreamMessage stream = Wire.factory().createStreamMessage();
    stream.writeBytes(bytes);
    stream.writeBytes(bytes, 1, 2);
    stream.writeObject(bytes);
    bytes[1] = 9;
    assertThat(map.getBytes("all")).containsExactly(1, 2, 3);
    assertThat(map.getBytes("part")).containsExactly(2, 3);
    map.getBytes("all")[0] = 9;
    ((byte[]) map.getObject("all"))[0] = 9;
    ((byte[]) ((Map<?, ?>) map.getBody(Map.class)).get("all"))[0] = 9;
    assertThat(map.getBytes("all")).containsExactly(1, 2, 3);
    stream.reset();
    ((byte[]) stream.readObject())[0] = 9;
    assertThat((byte[]) stream.readObject()).containsExactly(2, 3);
    stream.reset();
    assertThat((byte[]) stream.readObject()).containsExactly(1, 2, 3);
  }

  @Test
  void aByteFieldIsReadInPiecesAndMustBeFinished() throws JMSException {
    MetaqStreamMessage written = Wire.factory().createStreamMessage();
    written.writeBytes(new byte[] {1, 2, 3, 4});
    written.writeBytes(new byte[0]);
    written.writeInt(5);
    MetaqStreamMessage stream = Wire.roundTrip(written);
    byte[] two = new byte[2];
    assertThat(stream.readBytes(two)).isEqualTo(2);
    assertThatThrownBy(stream::readInt).isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(stream::readObject).isInstanceOf(MessageFormatException.class);
    assertThat(stream.readBytes(two)).isEqualTo(2);
    assertThat(two).containsExactly(3, 4);
    assertThat(stream.readBytes(two)).isEqualTo(-1);
    assertThat(stream.readBytes(two)).isZero();
    assertThat(stream.readInt()).isEqualTo(5);
    stream.reset();
    byte[] three = new byte[3];
    assertThat(stream.readBytes(three)).isEqualTo(3);
    assertThat(stream.readBytes(three)).isEqualTo(1);
    assertThat(stream.readBytes(three)).isZero();
    assertThat(stream.readInt()).isEqualTo(5);
    assertThatThrownBy(() -> stream.readBytes(three)).isInstanceOf(MessageEOFException.class);
  }

  @Test
  void otherTypesAreAFormatException() {
    MetaqMapMessage map = Wire.factory().createMapMessage();
    MetaqStreamMessage stream = Wire.factory().createStreamMessage();
    assertThatThrownBy(() -> map.setObject("e", new ArrayList<String>()))
        .isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(() -> stream.writeObject(new HashMap<String, String>()))
        .isInstanceOf(MessageFormatException.class);
  }

  @Test
  void aMapEntryNeedsAName() {
    MetaqMapMessage map = Wire.factory().createMapMessage();
    for (String name : new String[] {null, ""}) {
      assertThatThrownBy(() -> map.setInt(name, 1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.setBytes(name, new byte[1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void modesAreKeptApart() throws JMSException {
    MetaqStreamMessage stream = Wire.factory().createStreamMessage();
    assertThatThrownBy(stream::readInt).isInstanceOf(MessageNotReadableException.class);
    stream.writeInt(1);
    MetaqStreamMessage received = Wire.roundTrip(stream);
    stream.writeInt(2);
    assertThatThrownBy(() -> received.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
    assertThat(received.readInt()).isEqualTo(1);
    received.clearBody();
    received.writeInt(3);
    assertThatThrownBy(received::readInt).isInstanceOf(MessageNotReadableException.class);
    assertThat(Wire.roundTrip(received).readInt()).isEqualTo(3);

    MetaqMapMessage map = Wire.factory().createMapMessage();
    map.setInt("a", 1);
    MetaqMapMessage receivedMap = Wire.roundTrip(map);
    assertThatThrownBy(() -> receivedMap.setInt("a", 2))
        .isInstanceOf(MessageNotWriteableException.class);
    assertThat(receivedMap.getInt("a")).isEqualTo(1);
    receivedMap.clearBody();
    assertThat(receivedMap.getMapNames().hasMoreElements()).isFalse();
    receivedMap.setInt("b", 2);
    assertThat(Collections.list(Wire.roundTrip(receivedMap).getMapNames())).containsExactly("b");
  }

  @Test
  void aMapBodyIsAMapAndAStreamBodyIsNothing() throws JMSException {
    MetaqMapMessage map = Wire.factory().createMapMessage();
    assertThat(map.isBodyAssignableTo(String.class)).isTrue();
    assertThat(map.getBody(String.class)).isNull();
    map.setString("a", "x");
    assertThat(map.isBodyAssignableTo(Map.class)).isTrue();
    assertThat(map.isBodyAssignableTo(Object.class)).isTrue();
    assertThat(map.isBodyAssignableTo(HashMap.class)).isFalse();
    assertThat((Object) map.getBody(Map.class)).isEqualTo(Map.of("a", "x"));
    assertThatThrownBy(() -> map.getBody(String.class)).isInstanceOf(MessageFormatException.class);
    MetaqStreamMessage stream = Wire.factory().createStreamMessage();
    assertThat(stream.isBodyAssignableTo(Object.class)).isFalse();
    assertThatThrownBy(() -> stream.getBody(Object.class))
        .isInstanceOf(MessageFormatException.class);
  }
}
