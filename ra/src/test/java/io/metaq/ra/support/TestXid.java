package io.metaq.ra.support;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import javax.transaction.xa.Xid;

/** A name for a branch that no other has. */
public final class TestXid implements Xid {
  private final byte[] global = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);

  @Override
  public int getFormatId() {
    return 4711;
  }

  @Override
  public byte[] getGlobalTransactionId() {
    return global.clone();
  }

  @Override
  public byte[] getBranchQualifier() {
    return new byte[] {1};
  }

  /** Whether another Xid, which may come from the broker, names the same branch. */
  public boolean names(Xid other) {
    return other.getFormatId() == getFormatId()
        && Arrays.equals(other.getGlobalTransactionId(), global)
        && Arrays.equals(other.getBranchQualifier(), getBranchQualifier());
  }
}
