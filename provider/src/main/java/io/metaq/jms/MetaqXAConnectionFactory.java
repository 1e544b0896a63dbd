package io.metaq.jms;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;

/**
 * Makes XA connections to a MetaQ broker in all three APIs, for transaction managers. A class of
 * its own, so that nothing takes a plain factory for one that joins transactions.
 */
public final class MetaqXAConnectionFactory extends AbstractConnectionFactory
    implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
  private static final long serialVersionUID = 1L;

  /** To {@link #DEFAULT_URL}. */
  public MetaqXAConnectionFactory() {
    this(DEFAULT_URL);
  }

  /**
   * @param url {@code metaq://host:port,host2:port2?option=value}
   * @throws IllegalArgumentException listing every fault of the URL
   */
  public MetaqXAConnectionFactory(String url) {
    super(url);
  }

  @Override
  public XAConnection createXAConnection() throws JMSException {
    return new MetaqXAConnection(open(), Domain.COMMON);
  }

  @Override
  public XAConnection createXAConnection(String user, String password) throws JMSException {
    return new MetaqXAConnection(open(user, password), Domain.COMMON);
  }

  @Override
  public XAQueueConnection createXAQueueConnection() throws JMSException {
    return new MetaqXAConnection(open(), Domain.QUEUE);
  }

  @Override
  public XAQueueConnection createXAQueueConnection(String user, String password)
      throws JMSException {
    return new MetaqXAConnection(open(user, password), Domain.QUEUE);
  }

  @Override
  public XATopicConnection createXATopicConnection() throws JMSException {
    return new MetaqXAConnection(open(), Domain.TOPIC);
  }

  @Override
  public XATopicConnection createXATopicConnection(String user, String password)
      throws JMSException {
    return new MetaqXAConnection(open(user, password), Domain.TOPIC);
  }

  @Override
  public XAJMSContext createXAContext() {
    return Failures.simplified(() -> MetaqXAContext.first(open()));
  }

  @Override
  public XAJMSContext createXAContext(String user, String password) {
    return Failures.simplified(() -> MetaqXAContext.first(open(user, password)));
  }
}
