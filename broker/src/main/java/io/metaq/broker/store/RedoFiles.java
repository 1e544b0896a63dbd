package io.metaq.broker.store;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * The transaction journal of a MetaQ 1.4 broker ({@code transactions/redo.N}), read only as far as
 * it takes to know that nothing in it is still needed: no prepared branch, and no commit whose
 * messages are not in their partitions.
 */
public final class RedoFiles {
  static final String DIRECTORY = "transactions";

  private static final String PREFIX = "redo.";
  private static final int OPERATION = 2;
  private static final int PREPARE = 1;
  private static final int XA_COMMIT = 2;
  private static final int LOCAL_COMMIT = 4;
  private static final int LARGEST_FILE = 1 << 30;

  private final Disk disk;
  private final MetaqDirectory partitions;
  private final Set<String> prepared = new LinkedHashSet<>();

  /** A protobuf message's numbers and, of its byte fields, the last of each number. */
  private record Fields(TreeMap<Integer, Long> numbers, TreeMap<Integer, ByteBuffer> bytes) {
    static Fields of(ByteBuffer message) {
      Fields fields = new Fields(new TreeMap<>(), new TreeMap<>());
      while (message.hasRemaining()) {
        int tag = (int) varint(message);
        if ((tag & 7) == 0) {
          fields.numbers.put(tag >>> 3, varint(message));
        } else if ((tag & 7) == 2) {
          int length = (int) varint(message);
          fields.bytes.put(tag >>> 3, message.slice(message.position(), length));
          message.position(message.position() + length);
        } else {
          throw new IllegalArgumentException("a field of type " + (tag & 7));
        }
      }
      return fields;
    }

    private static long varint(ByteBuffer in) {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        byte next = in.get();
        value |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("a number without end");
    }

    int number(int field) {
      return numbers.getOrDefault(field, 0L).intValue();
    }
  }

  /**
   * @param disk of MetaQ's {@code dataLogPath}, which by default is its {@code dataPath}
   */
  public RedoFiles(Disk disk, MetaqDirectory partitions) {
    this.disk = disk;
    this.partitions = partitions;
  }

  /**
   * @throws StoreException if the import of the partitions alone would lose something, or that
   *     cannot be known
   */
  public void check() throws IOException {
    if (!disk.isDirectory(DIRECTORY)) {
      return;
    }
    TreeMap<Integer, String> files = new TreeMap<>();
    for (String name : disk.list(DIRECTORY)) {
      if (name.startsWith(PREFIX) && name.substring(PREFIX.length()).matches("[0-9]{1,9}")) {
        files.put(Integer.parseInt(name.substring(PREFIX.length())), DIRECTORY + "/" + name);
      }
    }
    for (String path : files.values()) {
      read(path);
    }
    if (!prepared.isEmpty()) {
      throw new StoreException(
          prepared.size()
              + " prepared transaction(s) stand in "
              + disk.describe(DIRECTORY)
              + ", the first is "
              + prepared.iterator().next()
              + ". Start MetaQ, have them committed or rolled back, stop it, and import then.");
    }
  }

  private void read(String path) throws IOException {
    ByteBuffer contents;
    try (DiskFile file = disk.openForRead(path)) {
      if (file.size() > LARGEST_FILE) {
        throw new StoreException(disk.describe(path) + " is larger than MetaQ makes such a file");
      }
      contents = ByteBuffer.allocate((int) file.size());
      file.read(contents, 0);
      contents.flip();
    }
    try {
      while (contents.remaining() >= Integer.BYTES && contents.getInt(contents.position()) != 0) {
        entry(contents);
      }
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreException(
          disk.describe(path)
              + " cannot be read at byte "
              + contents.position()
              + ". Start MetaQ and stop it in order, so that it recovers, and import then.",
          e);
    }
  }

  private void entry(ByteBuffer contents) throws IOException {
    int length = contents.getInt();
    ByteBuffer command = contents.slice(contents.position(), length);
    contents.position(contents.position() + length);
    Fields fields = Fields.of(command);
    if (fields.number(1) != OPERATION) {
      return;
    }
    Fields operation = Fields.of(fields.bytes().get(2));
    String transaction = StandardCharsets.UTF_8.decode(operation.bytes().get(3)).toString();
    int type = operation.number(1);
    int attached = operation.number(4);
    if (type == PREPARE) {
      prepared.add(transaction);
    } else {
      prepared.remove(transaction);
    }
    if (type == XA_COMMIT || type == LOCAL_COMMIT) {
      committed(transaction, contents.slice(contents.position(), attached));
    }
    contents.position(contents.position() + attached);
  }

  private void committed(String transaction, ByteBuffer places) throws IOException {
    while (places.hasRemaining()) {
      long end = places.getLong() + places.getInt();
      places.getInt();
      int name = places.getInt();
      String partition =
          StandardCharsets.UTF_8.decode(places.slice(places.position(), name)).toString();
      places.position(places.position() + name);
      if (partitions.end(partition) < end) {
        throw new StoreException(
            "messages of the committed transaction "
                + transaction
                + " are not in partition "
                + partition
                + ". Start MetaQ and stop it in order, so that it recovers, and import then.");
      }
    }
  }
}
