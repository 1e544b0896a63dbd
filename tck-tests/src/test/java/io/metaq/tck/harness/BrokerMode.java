package io.metaq.tck.harness;

/** The configurations of a broker that the specification's assertions need. */
public enum BrokerMode {
  /** No users, destinations come into being when they are first used. */
  OPEN,
  /** Users are checked: {@link #USER} with {@link #PASSWORD} is the only one. */
  SECURED,
  /**
   * Only the queue {@link #DECLARED_QUEUE} and the topic {@link #DECLARED_TOPIC} exist; nothing is
   * created on use.
   */
  DECLARED_ONLY;

  public static final String USER = "alice";
  public static final String PASSWORD = "wonderland";
  public static final String DECLARED_QUEUE = "declared.queue";
  public static final String DECLARED_TOPIC = "declared.topic";
}
