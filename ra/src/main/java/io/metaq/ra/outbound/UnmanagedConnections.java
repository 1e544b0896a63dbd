package io.metaq.ra.outbound;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The connection manager for use without a container: a physical connection for each handle,
 * destroyed with it.
 */
final class UnmanagedConnections implements ConnectionManager {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = System.getLogger(UnmanagedConnections.class.getName());

  @Override
  public Object allocateConnection(ManagedConnectionFactory factory, ConnectionRequestInfo request)
      throws ResourceException {
    ManagedConnection connection = factory.createManagedConnection(null, request);
    connection.addConnectionEventListener(new DestroyWhenDone(connection));
    return connection.getConnection(null, request);
  }

  private record DestroyWhenDone(ManagedConnection connection) implements ConnectionEventListener {
    private void destroy() {
      try {
        connection.destroy();
      } catch (ResourceException e) {
        LOG.log(Level.DEBUG, "Destroying " + connection + " failed", e);
      }
    }

    @Override
    public void connectionClosed(ConnectionEvent event) {
      destroy();
    }

    @Override
    public void connectionErrorOccurred(ConnectionEvent event) {
      destroy();
    }

    @Override
    public void localTransactionStarted(ConnectionEvent event) {
      // nobody here shares the connection
    }

    @Override
    public void localTransactionCommitted(ConnectionEvent event) {
      // nobody here shares the connection
    }

    @Override
    public void localTransactionRolledback(ConnectionEvent event) {
      // nobody here shares the connection
    }
  }
}
