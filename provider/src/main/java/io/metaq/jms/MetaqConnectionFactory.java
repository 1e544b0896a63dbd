package io.metaq.jms;

/**
 * Makes connections to a MetaQ broker in all three APIs. Set up by URL and setters, bound in a
 * naming service, or serialized. XA connections come from {@link MetaqXAConnectionFactory}.
 */
public final class MetaqConnectionFactory extends AbstractConnectionFactory {
  private static final long serialVersionUID = 1L;

  /** To {@link #DEFAULT_URL}. */
  public MetaqConnectionFactory() {
    this(DEFAULT_URL);
  }

  /**
   * @param url {@code metaq://host:port,host2:port2?option=value}
   * @throws IllegalArgumentException listing every fault of the URL
   */
  public MetaqConnectionFactory(String url) {
    super(url);
  }
}
