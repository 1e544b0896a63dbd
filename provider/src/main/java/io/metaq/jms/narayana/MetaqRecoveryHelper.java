package io.metaq.jms.narayana;

import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * Lets Narayana's periodic recovery ask a broker for its in-doubt branches. Keeps one connection
 * between passes and makes a new one when it is lost; while the broker cannot be reached, a pass
 * fails with an error that names the reason, which Narayana logs, and the next pass tries again.
 *
 * <p>Register one for every broker with {@code XARecoveryModule.addXAResourceRecoveryHelper}. May
 * be called by any thread.
 */
public final class MetaqRecoveryHelper implements XAResourceRecoveryHelper, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(MetaqRecoveryHelper.class.getName());

  private final XAConnectionFactory factory;
  private final String user;
  private final String password;
  private XAConnection connection;
  private XAResource resource;

  /** Logs in with what the factory holds. Does not connect yet. */
  public MetaqRecoveryHelper(XAConnectionFactory factory) {
    this(factory, null, null);
  }

  /** Logs in as this user, who must be allowed to recover the branches of all clients. */
  public MetaqRecoveryHelper(XAConnectionFactory factory, String user, String password) {
    if (factory == null) {
      throw new IllegalArgumentException("a recovery helper needs a connection factory");
    }
    this.factory = factory;
    this.user = user;
    this.password = password;
  }

  /** Nothing to do: the constructors take what is needed. */
  @Override
  public boolean initialise(String parameter) {
    return true;
  }

  /**
   * The broker's resource, alone in its array.
   *
   * @throws JMSException if the broker cannot be reached or refuses the user
   */
  @Override
  public synchronized XAResource[] getXAResources() throws Exception {
    if (resource != null && !isAlive()) {
      close();
    }
    if (resource == null) {
      connection =
          user == null ? factory.createXAConnection() : factory.createXAConnection(user, password);
      resource = connection.createXASession().getXAResource();
    }
    return new XAResource[] {resource};
  }

  private boolean isAlive() {
    try {
      resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
      return true;
    } catch (XAException lost) {
      LOG.log(System.Logger.Level.DEBUG, "recovery connects again", lost);
      return false;
    }
  }

  /** Lets go of the connection; the next pass makes another. */
  @Override
  public synchronized void close() {
    XAConnection old = connection;
    connection = null;
    resource = null;
    if (old != null) {
      try {
        old.close();
      } catch (JMSException alreadyGone) {
        LOG.log(
            System.Logger.Level.DEBUG, "the lost recovery connection did not close", alreadyGone);
      }
    }
  }
}
