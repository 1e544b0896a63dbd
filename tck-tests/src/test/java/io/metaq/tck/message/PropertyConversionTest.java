package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 3.5.4, table 3-2: which property can be read as what. */
@Conformance
class PropertyConversionTest {

  /** A property type: how it is set, how it is read. */
  enum Type {
    BOOLEAN(true) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getBooleanProperty("p");
      }
    },
    BYTE((byte) 12) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getByteProperty("p");
      }
    },
    SHORT((short) 12) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getShortProperty("p");
      }
    },
    INT(12) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getIntProperty("p");
      }
    },
    LONG(12L) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getLongProperty("p");
      }
    },
    FLOAT(12f) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getFloatProperty("p");
      }
    },
    DOUBLE(12d) {
      @Override
      Object read(Message m) throws JMSException {
        return m.getDoubleProperty("p");
      }
    },
    STRING("12") {
      @Override
      Object read(Message m) throws JMSException {
        return m.getStringProperty("p");
      }
    };

    final Object value;

    Type(Object value) {
      this.value = value;
    }

    abstract Object read(Message m) throws JMSException;

    Set<Type> readableAs() {
      return switch (this) {
        case BOOLEAN -> EnumSet.of(BOOLEAN, STRING);
        case BYTE -> EnumSet.of(BYTE, SHORT, INT, LONG, STRING);
        case SHORT -> EnumSet.of(SHORT, INT, LONG, STRING);
        case INT -> EnumSet.of(INT, LONG, STRING);
        case LONG -> EnumSet.of(LONG, STRING);
        case FLOAT -> EnumSet.of(FLOAT, DOUBLE, STRING);
        case DOUBLE -> EnumSet.of(DOUBLE, STRING);
        case STRING -> EnumSet.allOf(Type.class);
      };
    }

    /** The value as this type would hold it. */
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
  @Assertion(
      section = "3.5.4",
      text = "Table 3-2: the marked conversions work, every other throws MessageFormatException")
  void tableOfConversions(Type set, Jms jms) throws JMSException {
    Message sent = jms.text("m");
    sent.setObjectProperty("p", set.value);
    for (Message message : List.of(sent, jms.roundTrip(sent))) {
      for (Type read : Type.values()) {
        if (set.readableAs().contains(read)) {
          assertThat(read.read(message))
              .as("%s read as %s", set, read)
              .isEqualTo(read.of(set.value));
        } else {
          assertThrows(
              MessageFormatException.class,
              () -> read.read(message),
              () -> set + " read as " + read);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE"})
  @Assertion(
      section = "3.5.4",
      text = "A string that is no number throws NumberFormatException when read as one")
  void textThatIsNoNumber(Type read, Jms jms) throws JMSException {
    Message sent = jms.text("m");
    sent.setStringProperty("p", "not a number");
    for (Message message : List.of(sent, jms.roundTrip(sent))) {
      assertThrows(NumberFormatException.class, () -> read.read(message));
    }
  }

  @ParameterizedTest
  @CsvSource({"BYTE,128", "SHORT,32768", "INT,2147483648", "LONG,9223372036854775808"})
  @Assertion(
      section = "3.5.4",
      text = "A string outside the range of the type throws NumberFormatException")
  void textOutOfRange(Type read, String text, Jms jms) throws JMSException {
    Message sent = jms.text("m");
    sent.setStringProperty("p", text);
    assertThrows(NumberFormatException.class, () -> read.read(sent));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "TRUE,true", "false,false", "yes,false", "1,false", "'',false"})
  @Assertion(section = "3.5.4", text = "A string read as boolean follows Boolean.valueOf")
  void textAsBoolean(String text, boolean expected, Jms jms) throws JMSException {
    Message sent = jms.text("m");
    sent.setStringProperty("p", text);
    assertThat(jms.roundTrip(sent).getBooleanProperty("p")).isEqualTo(expected);
  }
}
