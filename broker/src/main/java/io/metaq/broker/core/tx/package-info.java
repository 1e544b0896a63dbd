/**
 * Transactions of the core: local ones and XA branches. The rules of X/Open XA stand alone in
 * {@link io.metaq.broker.core.tx.BranchLife}, without messages; what a transaction sends and
 * acknowledges is gathered beside them and reaches the destinations in one entry group.
 */
package io.metaq.broker.core.tx;
