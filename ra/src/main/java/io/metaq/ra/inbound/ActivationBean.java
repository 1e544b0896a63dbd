package io.metaq.ra.inbound;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Registration of an activation with JMX, {@code io.metaq:type=Activation,destination=...,id=...};
 * gone with the activation.
 */
final class ActivationBean {
  private static final Logger LOG = System.getLogger(ActivationBean.class.getName());

  private final Activation activation;
  private final String destination;
  private ObjectName name;

  ActivationBean(Activation activation, String destination) {
    this.activation = activation;
    this.destination = destination;
  }

  synchronized void register() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName wanted =
          new ObjectName(
              "io.metaq:type=Activation,destination="
                  + ObjectName.quote(destination)
                  + ",id="
                  + Integer.toHexString(System.identityHashCode(activation)));
      server.registerMBean(new StandardMBean(activation, ActivationControl.class, false), wanted);
      name = wanted;
    } catch (JMException e) {
      LOG.log(Level.WARNING, "The bean on " + destination + " cannot be managed over JMX", e);
    }
  }

  synchronized void unregister() {
    if (name == null) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      LOG.log(Level.WARNING, name + " could not be taken off JMX", e);
    }
    name = null;
  }
}
