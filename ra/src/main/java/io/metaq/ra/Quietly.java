package io.metaq.ra;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Closing of what is broken or no longer wanted, where a failure changes nothing and is only worth
 * a debug line.
 */
public final class Quietly {
  private static final Logger LOG = System.getLogger(Quietly.class.getName());

  private Quietly() {}

  public static void close(AutoCloseable resource) {
    if (resource == null) {
      return;
    }
    try {
      resource.close();
    } catch (Exception e) {
      LOG.log(Level.DEBUG, "Closing " + resource + " failed", e);
    }
  }
}
