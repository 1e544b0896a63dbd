package io.metaq.tck.transactions;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import javax.transaction.xa.Xid;

/** A fresh Xid with parts of a given length. */
record TestXid(int formatId, byte[] globalId, byte[] branch) implements Xid {

  static TestXid next() {
    UUID random = UUID.randomUUID();
    byte[] global =
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array();
    return new TestXid(4711, global, new byte[] {1});
  }

  TestXid sibling(int number) {
    return new TestXid(formatId, globalId, new byte[] {(byte) number});
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
    return branch.clone();
  }

  boolean isIn(Xid[] xids) {
    return Arrays.stream(xids)
        .anyMatch(
            xid ->
                xid.getFormatId() == formatId
                    && Arrays.equals(xid.getGlobalTransactionId(), globalId)
                    && Arrays.equals(xid.getBranchQualifier(), branch));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TestXid xid && isIn(new Xid[] {xid});
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(globalId);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return formatId + ":" + hex.formatHex(globalId) + ":" + hex.formatHex(branch);
  }
}
