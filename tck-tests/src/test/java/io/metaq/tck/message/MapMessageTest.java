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
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** MapMessage, sections 3.11 and 3.12 and its API documentation. */
@Conformance
class MapMessageTest {

  @Test
  @Assertion(
      section = "3.11",
      text = "Every type of value arrives in a MapMessage, boundary values too")
  void everyTypeArrives(Jms jms) throws JMSException {
    MapMessage sent = jms.own().createMapMessage();
    sent.setBoolean("bool", true);
    sent.setByte("byte", Byte.MIN_VALUE);
    sent.setShort("short", Short.MIN_VALUE);
    sent.setChar("char", '\uffff');
    sent.setInt("int", Integer.MIN_VALUE);
    sent.setLong("long", Long.MIN_VALUE);
    sent.setFloat("float", Float.NaN);
    sent.setDouble("double", Double.NEGATIVE_INFINITY);
    sent.setString("string", "\u00e4\u20ac\ud83d\ude00");
    sent.setBytes("bytes", new byte[] {1, 2, 3});
    sent.setBytes("part", new byte[] {1, 2, 3, 4}, 1, 2);
    sent.setBytes("none", new byte[0]);
    sent.setString("empty", "");
    MapMessage map = jms.roundTrip(sent);
    assertThat(map.getBoolean("bool")).isTrue();
    assertThat(map.getByte("byte")).isEqualTo(Byte.MIN_VALUE);
    assertThat(map.getShort("short")).isEqualTo(Short.MIN_VALUE);
    assertThat(map.getChar("char")).isEqualTo('\uffff');
    assertThat(map.getInt("int")).isEqualTo(Integer.MIN_VALUE);
    assertThat(map.getLong("long")).isEqualTo(Long.MIN_VALUE);
    assertThat(map.getFloat("float")).isNaN();
    assertThat(map.getDouble("double")).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(map.getString("string")).isEqualTo("\u00e4\u20ac\ud83d\ude00");
    assertThat(map.getBytes("bytes")).containsExactly(1, 2, 3);
    assertThat(map.getBytes("part")).containsExactly(2, 3);
    assertThat(map.getBytes("none")).isEmpty();
    assertThat(map.getString("empty")).isEmpty();
  }

  @Test
  @Assertion(
      section = "3.11",
      text = "getMapNames has exactly the names that were set; itemExists agrees")
  void names(Jms jms) throws JMSException {
    MapMessage sent = jms.own().createMapMessage();
    sent.setInt("a", 1);
    sent.setInt("b", 2);
    sent.setInt("a", 3);
    sent.setString("null", null);
    MapMessage map = jms.roundTrip(sent);
    List<Object> names = new ArrayList<>();
    for (Enumeration<?> e = map.getMapNames(); e.hasMoreElements(); ) {
      names.add(e.nextElement());
    }
    assertThat(names).containsExactlyInAnyOrder("a", "b", "null");
    assertThat(map.itemExists("a")).isTrue();
    assertThat(map.itemExists("null")).isTrue();
    assertThat(map.itemExists("c")).isFalse();
    assertThat(map.getInt("a")).isEqualTo(3);
  }

  @Test
  @Assertion(
      section = "API MapMessage",
      text = "A null or empty name is an IllegalArgumentException")
  void emptyNames(Jms jms) throws JMSException {
    MapMessage map = jms.own().createMapMessage();
    for (String name : new String[] {null, ""}) {
      assertThrows(IllegalArgumentException.class, () -> map.setBoolean(name, true));
      assertThrows(IllegalArgumentException.class, () -> map.setByte(name, (byte) 1));
      assertThrows(IllegalArgumentException.class, () -> map.setShort(name, (short) 1));
      assertThrows(IllegalArgumentException.class, () -> map.setChar(name, 'c'));
      assertThrows(IllegalArgumentException.class, () -> map.setInt(name, 1));
      assertThrows(IllegalArgumentException.class, () -> map.setLong(name, 1));
      assertThrows(IllegalArgumentException.class, () -> map.setFloat(name, 1));
      assertThrows(IllegalArgumentException.class, () -> map.setDouble(name, 1));
      assertThrows(IllegalArgumentException.class, () -> map.setString(name, "v"));
      assertThrows(IllegalArgumentException.class, () -> map.setBytes(name, new byte[1]));
      assertThrows(IllegalArgumentException.class, () -> map.setBytes(name, new byte[1], 0, 1));
      assertThrows(IllegalArgumentException.class, () -> map.setObject(name, 1));
    }
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "setObject with an unsupported class throws MessageFormatException")
  void unsupportedClasses(Jms jms) throws JMSException {
    MapMessage map = jms.own().createMapMessage();
    for (Object value : List.of(new Date(), BigInteger.ONE, List.of(1), new int[] {1})) {
      assertThrows(MessageFormatException.class, () -> map.setObject("v", value));
    }
    assertThat(map.itemExists("v")).isFalse();
  }

  @Test
  @Assertion(section = "3.12", text = "Bytes are copied into the message and out of it")
  @KnownDeviation(provider = "artemis", why = "keeps the caller's array")
  void bytesAreCopied(Jms jms) throws JMSException {
    byte[] bytes = {1, 2};
    MapMessage map = jms.own().createMapMessage();
    map.setBytes("set", bytes);
    map.setObject("object", bytes);
    bytes[0] = 9;
    assertThat(map.getBytes("set")).containsExactly(1, 2);
    assertThat((byte[]) map.getObject("object")).containsExactly(1, 2);
    map.getBytes("set")[0] = 9;
    ((byte[]) map.getObject("object"))[0] = 9;
    assertThat(map.getBytes("set")).containsExactly(1, 2);
    assertThat((byte[]) map.getObject("object")).containsExactly(1, 2);
  }

  @Test
  @Assertion(section = "3.11", text = "An empty MapMessage arrives as a MapMessage")
  void empty(Jms jms) throws JMSException {
    MapMessage map = jms.roundTrip(jms.own().createMapMessage());
    assertThat(map.getMapNames().hasMoreElements()).isFalse();
  }
}
