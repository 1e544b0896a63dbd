package io.metaq.jms;

import jakarta.jms.JMSException;
import java.util.Set;

/**
 * Which names a property may have (Jakarta Messaging 3.1, sections 3.5.1, 3.5.9, 3.5.10 and
 * 3.8.1.1).
 */
final class PropertyNames {

  static final String GROUP_ID = "JMSXGroupID";
  static final String GROUP_SEQUENCE = "JMSXGroupSeq";
  static final String DELIVERY_COUNT = "JMSXDeliveryCount";

  /** Begins the names of the properties that MetaQ sets. */
  static final String VENDOR_PREFIX = "JMS_MetaQ_";

  /**
   * As the specification writes them. In other case they are accepted, as other providers do and
   * applications expect, although no selector can refer to them.
   */
  private static final Set<String> RESERVED_WORDS =
      Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

  /** Set by a provider on a message it delivers; never part of what is sent. */
  private static final Set<String> SET_ON_RECEIVE =
      Set.of(DELIVERY_COUNT, "JMSXConsumerTXID", "JMSXRcvTimestamp", "JMSXState");

  private PropertyNames() {}

  /**
   * Checks a name before a property is set.
   *
   * @throws IllegalArgumentException when it is null or empty
   * @throws JMSException when no selector could refer to it, or it is reserved for header fields
   */
  static void check(String name) throws JMSException {
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("A property name must not be null or empty");
    }
    if (!isIdentifier(name) || RESERVED_WORDS.contains(name)) {
      throw new JMSException(
          "'"
              + name
              + "' cannot be a property name: it must be a Java identifier and none of "
              + "the words of selectors",
          "INVALID_PROPERTY_NAME");
    }
    if (name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_")) {
      throw new JMSException(
          "'" + name + "' cannot be a property name: what begins with JMS is reserved",
          "INVALID_PROPERTY_NAME");
    }
  }

  /** Whether a property stays behind when a message that holds it is sent. */
  static boolean staysBehind(String name) {
    return name.startsWith("JMS")
        && (SET_ON_RECEIVE.contains(name) || name.startsWith(VENDOR_PREFIX));
  }

  private static boolean isIdentifier(String name) {
    if (!Character.isJavaIdentifierStart(name.codePointAt(0))) {
      return false;
    }
    return name.codePoints().allMatch(Character::isJavaIdentifierPart);
  }
}
