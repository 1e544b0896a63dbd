package io.metaq.broker.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The directory of a partition, {@code <name>-<partition>} as in MetaQ. Characters that a file
 * system may not like are written as {@code %} and two hex digits of each UTF-8 byte; a name that
 * would grow too long is cut and ends in a digest of the whole.
 *
 * @param name of the topic or queue; for a cut one, as far as it can be told
 */
public record LogName(String name, int partition) {
  private static final int LONGEST = 200;
  private static final String CUT = "%~";

  /** The directory name. */
  public String directory() {
    StringBuilder escaped = new StringBuilder();
    for (byte b : utf8(name)) {
      char c = (char) (b & 0xff);
      if (c < 0x80
          && (Character.isLetterOrDigit(c)
              || c == '_'
              || c == '-'
              || c == '.' && !escaped.isEmpty())) {
        escaped.append(c);
      } else {
        escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
    if (escaped.length() > LONGEST) {
      escaped.setLength(LONGEST);
      escaped.append(CUT).append(digest(name));
    }
    return escaped.append('-').append(partition).toString();
  }

  /** The reverse; empty for a directory that is no partition's. */
  public static Optional<LogName> parse(String directory) {
    int dash = directory.lastIndexOf('-');
    if (dash < 1
        || directory.length() - dash > 10
        || !directory.substring(dash + 1).matches("[0-9]+")) {
      return Optional.empty();
    }
    int partition = Integer.parseInt(directory.substring(dash + 1));
    String escaped = directory.substring(0, dash);
    int cut = escaped.indexOf(CUT);
    if (cut >= 0) {
      return Optional.of(new LogName(escaped.substring(0, cut) + "...", partition));
    }
    ByteBuffer bytes = ByteBuffer.allocate(escaped.length() * 4);
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '%') {
        bytes.put(StandardCharsets.UTF_8.encode(CharBuffer.wrap(new char[] {c})));
      } else if (i + 2 < escaped.length()
          && HexFormat.isHexDigit(escaped.charAt(i + 1))
          && HexFormat.isHexDigit(escaped.charAt(i + 2))) {
        bytes.put((byte) HexFormat.fromHexDigits(escaped, i + 1, i + 3));
        i += 2;
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(
        new LogName(StandardCharsets.UTF_8.decode(bytes.flip()).toString(), partition));
  }

  private static byte[] utf8(String name) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a destination name holds a lone surrogate character", e);
    }
  }

  private static String digest(String name) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(utf8(name));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
