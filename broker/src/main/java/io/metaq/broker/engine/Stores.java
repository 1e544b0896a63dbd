package io.metaq.broker.engine;

import io.metaq.broker.store.BodyStore;
import io.metaq.broker.store.DataDirectory;
import io.metaq.broker.store.Disk;
import io.metaq.broker.store.PartitionLogs;
import io.metaq.broker.store.SnapshotStore;
import java.io.IOException;

/** The parts of one data directory. */
record Stores(
    DataDirectory directory,
    Disk disk,
    SnapshotStore snapshots,
    PartitionLogs logs,
    BodyStore bodies) {

  static Stores open(DataDirectory directory, int maxOpenFiles) throws IOException {
    Disk disk = directory.disk();
    return new Stores(
        directory,
        disk,
        new SnapshotStore(disk),
        new PartitionLogs(disk, maxOpenFiles),
        new BodyStore(disk, maxOpenFiles));
  }

  /** Closes files and gives the directory free. */
  void close() throws IOException {
    try {
      bodies.close();
      logs.close();
    } finally {
      directory.close();
    }
  }
}
