package io.metaq.jms;

import jakarta.jms.IllegalStateException;

/**
 * Which of the three families of interfaces an object was created through; each but the common one
 * lacks some methods.
 */
enum Domain {
  COMMON,
  QUEUE,
  TOPIC;

  /**
   * For methods that a QueueConnection or QueueSession must refuse (Jakarta Messaging 3.1, table
   * 9-1).
   */
  void requireTopics(String method) throws IllegalStateException {
    if (this == QUEUE) {
      throw new IllegalStateException(method + " is not for a QueueConnection or QueueSession");
    }
  }

  /** For methods that a TopicSession must refuse. */
  void requireQueues(String method) throws IllegalStateException {
    if (this == TOPIC) {
      throw new IllegalStateException(method + " is not for a TopicConnection or TopicSession");
    }
  }
}
