package io.metaq.jms;

import io.metaq.wire.TransactionFrames.WireXid;
import java.util.Arrays;
import java.util.HexFormat;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;

/** An Xid that the broker gave back, byte-exact. */
final class MetaqXid implements Xid {
  private final int formatId;
  private final byte[] globalId;
  private final byte[] branchQualifier;

  MetaqXid(WireXid xid) {
    this.formatId = xid.formatId();
    this.globalId = xid.globalId();
    this.branchQualifier = xid.branchQualifier();
  }

  static WireXid wire(Xid xid) throws XAException {
    if (xid == null
        || xid.getFormatId() == -1
        || xid.getGlobalTransactionId() == null
        || xid.getBranchQualifier() == null
        || xid.getGlobalTransactionId().length > MAXGTRIDSIZE
        || xid.getBranchQualifier().length > MAXBQUALSIZE) {
      throw new XAException(XAException.XAER_INVAL);
    }
    return new WireXid(xid.getFormatId(), xid.getGlobalTransactionId(), xid.getBranchQualifier());
  }

  @Override
  public int getFormatId() {
    return formatId;
  }

  @Override
  public byte[] getGlobalTransactionId() {
    return globalId.clone();
  }

  @Override
  public byte[] getBranchQualifier() {
    return branchQualifier.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Xid xid
        && xid.getFormatId() == formatId
        && Arrays.equals(xid.getGlobalTransactionId(), globalId)
        && Arrays.equals(xid.getBranchQualifier(), branchQualifier);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * formatId + Arrays.hashCode(globalId)) + Arrays.hashCode(branchQualifier);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return formatId + ":" + hex.formatHex(globalId) + ":" + hex.formatHex(branchQualifier);
  }
}
