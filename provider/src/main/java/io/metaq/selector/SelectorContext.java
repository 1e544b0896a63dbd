package io.metaq.selector;

/**
 * Gives a selector the values of one message.
 *
 * <p>This is the only thing a selector knows of a message, so that the broker can evaluate over an
 * encoded record without building a message object.
 */
@FunctionalInterface
public interface SelectorContext {

  /**
   * Returns the value of a header field or property.
   *
   * @param identifier a property name or one of the six header fields a selector may name. {@code
   *     JMSDeliveryMode} is asked for as the string {@code PERSISTENT} or {@code NON_PERSISTENT}
   * @return a {@code Boolean}, {@code Byte}, {@code Short}, {@code Integer}, {@code Long}, {@code
   *     Float}, {@code Double} or {@code String}; {@code null} where the message has no such value
   */
  Object value(String identifier);
}
