package io.metaq.broker.core.tx;

import io.metaq.wire.TransactionFrames.WireXid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** Xids as people write and read them. */
public final class XidText {
  private static final int NARAYANA = 131077;
  private static final int UID = 28;

  private XidText() {}

  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** What {@link WireXid#toString} wrote. */
  public static Optional<WireXid> parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 3 || !parts[0].matches("-?[0-9]{1,10}")) {
      return Optional.empty();
    }
    Optional<byte[]> global = bytes(parts[1]);
    Optional<byte[]> branch = bytes(parts[2]);
    long format = Long.parseLong(parts[0]);
    if (global.isEmpty() || branch.isEmpty() || format != (int) format) {
      return Optional.empty();
    }
    return Optional.of(new WireXid((int) format, global.get(), branch.get()));
  }

  private static Optional<byte[]> bytes(String hex) {
    return hex.length() % 2 == 0 && hex.length() <= 128 && hex.matches("[0-9a-fA-F]*")
        ? Optional.of(HexFormat.of().parseHex(hex))
        : Optional.empty();
  }

  /**
   * The ids that Narayana's log names a transaction and its branch by, or an empty text when
   * another coordinator made the Xid.
   */
  public static String narayana(WireXid xid) {
    if (xid.formatId() != NARAYANA
        || xid.globalId().length < UID
        || xid.branchQualifier().length < UID) {
      return "";
    }
    String node =
        new String(xid.globalId(), UID, xid.globalId().length - UID, StandardCharsets.UTF_8);
    return "tx_uid="
        + uid(xid.globalId())
        + ", node_name="
        + node
        + ", branch_uid="
        + uid(xid.branchQualifier());
  }

  private static String uid(byte[] bytes) {
    ByteBuffer uid = ByteBuffer.wrap(bytes);
    return Long.toHexString(uid.getLong())
        + ":"
        + Long.toHexString(uid.getLong())
        + ":"
        + Integer.toHexString(uid.getInt())
        + ":"
        + Integer.toHexString(uid.getInt())
        + ":"
        + Integer.toHexString(uid.getInt());
  }
}
