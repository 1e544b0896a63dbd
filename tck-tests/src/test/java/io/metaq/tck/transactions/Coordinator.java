package io.metaq.tck.transactions;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;

/**
 * Narayana in a plain Java program, as {@code docs/transactions.md} sets it up: one in a process,
 * since its settings are the process's.
 */
final class Coordinator implements AutoCloseable {
  private final RecoveryManager recovery;
  private final TransactionManager transactions;

  /**
   * @param directory of its log; the same one after a restart
   * @param node this program's name in every Xid; the same one after a restart
   * @param periodSeconds how often recovery runs by itself; 0 = only when asked
   */
  Coordinator(
      Path directory, String node, int periodSeconds, List<XAResourceRecoveryHelper> helpers)
      throws CoreEnvironmentBeanException {
    arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(node);
    for (String store : new String[] {"default", "communicationStore", "stateStore"}) {
      BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
          .setObjectStoreDir(directory.toString());
    }
    BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
        .setObjectStoreDir(directory.toString());
    jtaPropertyManager.getJTAEnvironmentBean().setXaRecoveryNodes(List.of(node));
    jtaPropertyManager
        .getJTAEnvironmentBean()
        .setXaResourceOrphanFilters(
            List.of(
                new JTATransactionLogXAResourceOrphanFilter(),
                new JTANodeNameXAResourceOrphanFilter()));
    jtaPropertyManager.getJTAEnvironmentBean().setOrphanSafetyInterval(1_000);

    XARecoveryModule module = new XARecoveryModule();
    helpers.forEach(module::addXAResourceRecoveryHelper);
    RecoveryEnvironmentBean settings = recoveryPropertyManager.getRecoveryEnvironmentBean();
    settings.setRecoveryModules(List.of(new AtomicActionRecoveryModule(), module));
    settings.setRecoveryBackoffPeriod(1);
    settings.setRecoveryListener(false);
    if (periodSeconds > 0) {
      settings.setPeriodicRecoveryPeriod(periodSeconds);
    }
    recovery =
        RecoveryManager.manager(
            periodSeconds > 0
                ? RecoveryManager.INDIRECT_MANAGEMENT
                : RecoveryManager.DIRECT_MANAGEMENT);
    recovery.initialize();
    if (periodSeconds > 0) {
      recovery.startRecoveryManagerThread();
    }
    transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
  }

  TransactionManager transactions() {
    return transactions;
  }

  /** One pass of recovery, now. */
  void recover() {
    recovery.scan();
  }

  @Override
  public void close() {
    recovery.terminate(false);
  }
}
