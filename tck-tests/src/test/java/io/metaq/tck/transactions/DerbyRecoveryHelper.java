package io.metaq.tck.transactions;

import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;

/** Lets Narayana ask the database for its in-doubt branches. */
final class DerbyRecoveryHelper implements XAResourceRecoveryHelper {
  private final XADataSource source;
  private XAConnection connection;

  DerbyRecoveryHelper(XADataSource source) {
    this.source = source;
  }

  @Override
  public boolean initialise(String parameter) {
    return true;
  }

  @Override
  public synchronized XAResource[] getXAResources() throws Exception {
    if (connection == null) {
      connection = source.getXAConnection();
    }
    return new XAResource[] {connection.getXAResource()};
  }
}
