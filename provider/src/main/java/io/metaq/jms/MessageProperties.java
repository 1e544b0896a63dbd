package io.metaq.jms;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The properties of one message: name and type rules and the read-only mode.
 *
 * <p>Apart from the message because every kind of message has them and they change modes on their
 * own.
 */
final class MessageProperties {

  private Map<String, Object> values = Map.of();
  private boolean readOnly;

  /** Takes over what arrived; read-only from here on. */
  void receive(Map<String, Object> received) {
    values = received;
    readOnly = true;
  }

  boolean exists(String name) {
    return values.containsKey(name);
  }

  Object get(String name) {
    // Immutable maps refuse a null key, for which there is no property anyway.
    return name == null ? null : values.get(name);
  }

  void set(String name, Object value) throws JMSException {
    if (readOnly) {
      throw new MessageNotWriteableException(
          "The properties are read-only; call clearProperties() first. Property: " + name);
    }
    PropertyNames.check(name);
    if (!ValueConversion.isPropertyValue(value)) {
      throw new MessageFormatException(
          "A " + value.getClass().getName() + " cannot be the value of property " + name);
    }
    if (name.equals(PropertyNames.GROUP_ID) && !(value == null || value instanceof String)) {
      throw new MessageFormatException(name + " must be a String");
    }
    if (name.equals(PropertyNames.GROUP_SEQUENCE) && !(value instanceof Integer)) {
      throw new MessageFormatException(name + " must be an int");
    }
    if (values.isEmpty()) {
      values = new LinkedHashMap<>();
    }
    values.put(name, value);
  }

  void clear() {
    values = Map.of();
    readOnly = false;
  }

  Enumeration<String> names() {
    return Collections.enumeration(List.copyOf(values.keySet()));
  }

  /** What travels with the message as plain properties; groups have fields of their own. */
  Map<String, Object> toSend() {
    if (values.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> sent = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          boolean field =
              name.equals(PropertyNames.GROUP_ID)
                  || name.equals(PropertyNames.GROUP_SEQUENCE) && groupSequence() != 0;
          if (!field && !PropertyNames.staysBehind(name)) {
            sent.put(name, value);
          }
        });
    return sent;
  }

  /** JMSXGroupID, or null. */
  String groupId() {
    return (String) values.get(PropertyNames.GROUP_ID);
  }

  /** JMSXGroupSeq, or 0; without a group it is a property like any other. */
  int groupSequence() {
    boolean grouped = groupId() != null;
    return grouped && values.get(PropertyNames.GROUP_SEQUENCE) instanceof Integer i ? i : 0;
  }
}
