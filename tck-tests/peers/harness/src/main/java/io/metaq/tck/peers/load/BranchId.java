package io.metaq.tck.peers.load;

import java.nio.ByteBuffer;
import javax.transaction.xa.Xid;

/** The Xid of one branch, made from two numbers that are never used together again. */
record BranchId(long high, long low) implements Xid {

  private static final int FORMAT = 4711;

  @Override
  public int getFormatId() {
    return FORMAT;
  }

  @Override
  public byte[] getGlobalTransactionId() {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
  }

  @Override
  public byte[] getBranchQualifier() {
    return new byte[] {1};
  }
}
