package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 3.11.3, table 3-7: what was written as one type and can be read as another. */
@Conformance
class BodyConversionTest {

  /** A type of a map entry or stream element: how it is read from both. */
  enum Type {
    BOOLEAN(true) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getBoolean(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readBoolean();
      }
    },
    BYTE((byte) 7) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getByte(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readByte();
      }
    },
    SHORT((short) 7) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getShort(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readShort();
      }
    },
    CHAR('7') {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getChar(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readChar();
      }
    },
    INT(7) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getInt(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readInt();
      }
    },
    LONG(7L) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getLong(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readLong();
      }
    },
    FLOAT(7f) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getFloat(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readFloat();
      }
    },
    DOUBLE(7d) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getDouble(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readDouble();
      }
    },
    STRING("7") {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getString(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        return m.readString();
      }
    },
    BYTES(new byte[] {7}) {
      @Override
      Object get(MapMessage m, String name) throws JMSException {
        return m.getBytes(name);
      }

      @Override
      Object read(StreamMessage m) throws JMSException {
        byte[] bytes = new byte[1];
        m.readBytes(bytes);
        return bytes;
      }
    };

    final Object value;

    Type(Object value) {
      this.value = value;
    }

    abstract Object get(MapMessage m, String name) throws JMSException;

    abstract Object read(StreamMessage m) throws JMSException;

    Set<Type> readableAs() {
      return switch (this) {
        case BOOLEAN -> EnumSet.of(BOOLEAN, STRING);
        case BYTE -> EnumSet.of(BYTE, SHORT, INT, LONG, STRING);
        case SHORT -> EnumSet.of(SHORT, INT, LONG, STRING);
        case CHAR -> EnumSet.of(CHAR, STRING);
        case INT -> EnumSet.of(INT, LONG, STRING);
        case LONG -> EnumSet.of(LONG, STRING);
        case FLOAT -> EnumSet.of(FLOAT, DOUBLE, STRING);
        case DOUBLE -> EnumSet.of(DOUBLE, STRING);
        case STRING -> EnumSet.complementOf(EnumSet.of(CHAR, BYTES));
        case BYTES -> EnumSet.of(BYTES);
      };
    }

    Object of(Object source) {
      if (this == STRING) {
        return source.toString();
      }
      if (this == BOOLEAN) {
        return Boolean.valueOf(source.toString());
      }
      return value;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(section = "3.11.3", text = "Table 3-7 for MapMessage, before and after sending")
  void tableForMaps(Type written, Jms jms) throws JMSException {
    MapMessage sent = jms.own().createMapMessage();
    sent.setObject("v", written.value);
    for (MapMessage map : List.of(sent, jms.roundTrip(sent))) {
      for (Type read : Type.values()) {
        if (written.readableAs().contains(read)) {
          assertThat(read.get(map, "v"))
              .as("%s read as %s", written, read)
              .isEqualTo(read.of(written.value));
        } else {
          assertThrows(
              MessageFormatException.class,
              () -> read.get(map, "v"),
              () -> written + " read as " + read);
        }
      }
      assertThat(map.getObject("v")).isEqualTo(written.value);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "3.11.3",
      text = "Table 3-7 for StreamMessage; a failed read does not move the pointer")
  @KnownDeviation(provider = "artemis", why = "moves the read pointer although the read failed")
  void tableForStreams(Type written, Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    for (int i = 0; i <= Type.values().length; i++) {
      sent.writeObject(written.value);
    }
    StreamMessage stream = jms.roundTrip(sent);
    int expected = 0;
    for (Type read : Type.values()) {
      if (written.readableAs().contains(read)) {
        assertThat(read.read(stream))
            .as("%s read as %s", written, read)
            .isEqualTo(read.of(written.value));
        if (read == Type.BYTES) {
          // The end of the array has to be read as well.
          assertThat(stream.readBytes(new byte[1])).isEqualTo(-1);
        }
        expected++;
      } else {
        assertThrows(
            MessageFormatException.class,
            () -> read.read(stream),
            () -> written + " read as " + read);
      }
    }
    for (int i = expected; i <= Type.values().length; i++) {
      assertThat(stream.readObject()).as("element %d", i).isEqualTo(written.value);
    }
    assertThrows(jakarta.jms.MessageEOFException.class, stream::readObject);
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE"})
  @Assertion(
      section = "3.11.3",
      text = "Text that is no number throws NumberFormatException and stays unread")
  @KnownDeviation(
      provider = "artemis",
      cases = "\\[[23456]\\].*",
      why = "moves the read pointer although the read failed")
  void textThatIsNoNumber(Type read, Jms jms) throws JMSException {
    MapMessage map = jms.own().createMapMessage();
    map.setString("v", "seven");
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeString("seven");
    StreamMessage stream = jms.roundTrip(sent);
    assertThrows(NumberFormatException.class, () -> read.get(jms.roundTrip(map), "v"));
    assertThrows(NumberFormatException.class, () -> read.read(stream));
    assertThat(stream.readString()).isEqualTo("seven");
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT", "INT", "LONG"})
  @Assertion(
      section = "3.11.3",
      text = "A null value read as a number is what valueOf(null) gives: NumberFormatException")
  @KnownDeviation(
      provider = "artemis",
      cases = "\\[[234]\\].*",
      why = "moves the read pointer although the read failed")
  void nullAsIntegralNumber(Type read, Jms jms) throws JMSException {
    MapMessage map = jms.own().createMapMessage();
    map.setString("v", null);
    StreamMessage stream = streamOfNull(jms);
    assertThrows(NumberFormatException.class, () -> read.get(map, "v"));
    assertThrows(NumberFormatException.class, () -> read.get(map, "never set"));
    assertThrows(NumberFormatException.class, () -> read.read(stream));
    assertThat(stream.readString()).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "CHAR"})
  @Assertion(
      section = "3.11.3",
      text = "A null value read as float, double or char throws NullPointerException")
  @KnownDeviation(provider = "artemis", why = "moves the read pointer although the read failed")
  void nullAsFloatOrChar(Type read, Jms jms) throws JMSException {
    MapMessage map = jms.own().createMapMessage();
    map.setString("v", null);
    StreamMessage stream = streamOfNull(jms);
    assertThrows(NullPointerException.class, () -> read.get(map, "v"));
    assertThrows(NullPointerException.class, () -> read.get(map, "never set"));
    assertThrows(NullPointerException.class, () -> read.read(stream));
    assertThat(stream.readString()).isNull();
  }

  @Test
  @Assertion(
      section = "3.11.3",
      text = "A null value read as boolean is false, as String, bytes or object null")
  void nullAsTheRest(Jms jms) throws JMSException {
    MapMessage sent = jms.own().createMapMessage();
    sent.setString("v", null);
    sent.setObject("o", null);
    sent.setBytes("b", null);
    MapMessage map = jms.roundTrip(sent);
    for (String name : List.of("v", "o", "b", "never set")) {
      assertThat(map.getBoolean(name)).isFalse();
      assertThat(map.getString(name)).isNull();
      assertThat(map.getObject(name)).isNull();
      assertThat(map.getBytes(name)).isNull();
    }
    assertThat(streamOfNull(jms).readBoolean()).isFalse();
    assertThat(streamOfNull(jms).readObject()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"true,true", "TRUE,true", "false,false", "1,false", "abc,false"})
  @Assertion(section = "3.11.3", text = "Text read as boolean follows Boolean.valueOf")
  void textAsBoolean(String text, boolean expected, Jms jms) throws JMSException {
    MapMessage map = jms.own().createMapMessage();
    map.setString("v", text);
    StreamMessage stream = jms.own().createStreamMessage();
    stream.writeString(text);
    stream.reset();
    assertThat(map.getBoolean("v")).isEqualTo(expected);
    assertThat(stream.readBoolean()).isEqualTo(expected);
  }

  private static StreamMessage streamOfNull(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeString(null);
    return jms.roundTrip(sent);
  }
}
