package io.metaq.broker.store;

import io.metaq.broker.store.SnapshotFormat.Trailer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes one snapshot, section by section, as fast or as slowly as the caller hands them over. Each
 * section is one object at the journal position that object reflects; an object that did not change
 * is carried over from the former snapshot, disk to disk.
 */
public final class SnapshotWriter {
  private final SnapshotStore store;
  private final long number;
  private final DiskFile file;
  private final Map<Long, SnapshotStore.Place> former;
  private final Map<Long, SnapshotStore.Place> places = new HashMap<>();
  private long position = SnapshotFormat.HEADER;
  private long highestReflected;

  SnapshotWriter(
      SnapshotStore store,
      long number,
      DiskFile file,
      Map<Long, SnapshotStore.Place> former,
      long formerReflected)
      throws IOException {
    this.store = store;
    this.number = number;
    this.file = file;
    this.former = former;
    this.highestReflected = formerReflected;
    file.write(SnapshotFormat.header(number), 0);
  }

  /**
   * Writes an object.
   *
   * @param key of the object, used once in a snapshot
   * @param reflects the last journal entry the object reflects
   */
  public void section(long key, long reflects, ByteBuffer payload) throws IOException {
    if (places.containsKey(key)) {
      throw new IllegalArgumentException("object " + key + " stands twice in snapshot " + number);
    }
    int length = payload.remaining();
    if (length > SnapshotFormat.MAX_SECTION) {
      throw new IllegalArgumentException(
          "object " + key + " takes " + length + " bytes in a snapshot");
    }
    ByteBuffer header = ByteBuffer.allocate(SnapshotFormat.SECTION_HEADER);
    header.putInt(length).putLong(key).putInt(SnapshotFormat.sectionChecksum(key, payload));
    file.write(new ByteBuffer[] {header.flip(), payload.duplicate()}, position);
    placed(key, length);
    highestReflected = Math.max(highestReflected, reflects);
  }

  /**
   * Takes an object over from the former snapshot as it stands there.
   *
   * @return false when it is not in there: write it with {@link #section}
   */
  public boolean carryOver(long key) throws IOException {
    SnapshotStore.Place place = former.get(key);
    if (place == null) {
      return false;
    }
    if (!store.copyFromNewest(key, place, file, position)) {
      return false;
    }
    placed(key, place.length());
    return true;
  }

  /** Bytes so far, for pacing. */
  public long bytes() {
    return position;
  }

  /**
   * The highest journal entry that any section reflects: {@link #commit} must wait until it is
   * forced.
   */
  public long highestReflected() {
    return highestReflected;
  }

  /**
   * Completes the snapshot and makes it the one to start from; older ones but the former are
   * deleted.
   *
   * @param replayAfter the entry after which a replay must start: no object needs an earlier one
   * @param committed the journal's committed index now
   * @throws IllegalStateException if a section reflects an entry that is not committed: a power cut
   *     could then leave a snapshot that holds what the journal does not
   */
  public void commit(long replayAfter, long committed) throws IOException {
    if (highestReflected > committed) {
      throw new IllegalStateException(
          "snapshot "
              + number
              + " reflects entry "
              + highestReflected
              + " but only "
              + committed
              + " is committed");
    }
    Trailer trailer =
        new Trailer(places.size(), replayAfter, Math.max(highestReflected, replayAfter));
    file.write(SnapshotFormat.trailer(trailer), position);
    file.force();
    file.close();
    store.publish(number, places, trailer.highestReflected());
  }

  /** Gives the snapshot up. */
  public void abort() throws IOException {
    file.close();
    store.discard(number);
  }

  private void placed(long key, int length) {
    places.put(key, new SnapshotStore.Place(position, length));
    position += SnapshotFormat.SECTION_HEADER + (long) length;
  }
}
