package io.metaq.tck.original;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A message as it stands in the files that are exchanged with the original's process.
 *
 * @param offset -1 where it is not known yet
 * @param attribute null for none
 * @param record the whole record; empty where it is not known yet
 */
record OriginalMessage(
    int partition, long offset, String attribute, ByteBuffer body, ByteBuffer record) {

  static OriginalMessage toSend(int partition, String attribute, String body) {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(body);
    return new OriginalMessage(partition, -1, attribute, bytes, ByteBuffer.allocate(0));
  }

  static OriginalMessage parse(String line) {
    String[] fields = line.split(" ", -1);
    return new OriginalMessage(
        Integer.parseInt(fields[0]),
        Long.parseLong(fields[1]),
        fields[2].equals("-")
            ? null
            : StandardCharsets.UTF_8.decode(decode(fields[2])).toString(),
        decode(fields[3]),
        decode(fields[4]));
  }

  String line() {
    return String.join(
        " ",
        Integer.toString(partition),
        "-",
        attribute == null ? "-" : encode(StandardCharsets.UTF_8.encode(attribute)),
        encode(body));
  }

  String text() {
    return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
  }

  private static ByteBuffer decode(String base64) {
    return ByteBuffer.wrap(Base64.getDecoder().decode(base64));
  }

  private static String encode(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return Base64.getEncoder().encodeToString(copy);
  }
}
