package io.metaq.wire;

import java.util.List;
import java.util.Map;

/** What operators ask for through the command line; open ended, by operation name. */
public final class AdminFrames {
  private AdminFrames() {}

  /**
   * An operation such as {@code tx.list} with its arguments. Answered by {@link AdminResult} or a
   * failure.
   */
  public record Admin(String operation, List<String> arguments) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.ADMIN;
    }

    @Override
    public void encode(WireWriter out) {
      out.string(operation).i32(arguments.size());
      arguments.forEach(out::string);
    }

    static Admin decode(WireReader in) {
      return new Admin(in.text(), in.list(4, WireReader::text));
    }
  }

  /** Rows of named values, in order. */
  public record AdminResult(List<Map<String, String>> rows) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.ADMIN_RESULT;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(rows.size());
      rows.forEach(out::strings);
    }

    static AdminResult decode(WireReader in) {
      return new AdminResult(in.list(4, WireReader::strings));
    }
  }
}
