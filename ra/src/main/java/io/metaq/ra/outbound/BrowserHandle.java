package io.metaq.ra.outbound;

import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;

/** A browser that follows its session handle. */
record BrowserHandle(Rebound<QueueBrowser> browser) implements QueueBrowser {
  @Override
  public Queue getQueue() throws JMSException {
    return browser.call(QueueBrowser::getQueue);
  }

  @Override
  public String getMessageSelector() throws JMSException {
    return browser.call(QueueBrowser::getMessageSelector);
  }

  @Override
  @SuppressWarnings("rawtypes") // the interface's
  public Enumeration getEnumeration() throws JMSException {
    return browser.call(QueueBrowser::getEnumeration);
  }

  @Override
  public void close() {
    browser.close();
  }
}
