package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreToolTest {
  private static final String SEGMENT = "partitions/orders-0/00000000000000000000.meta";

  private final SimulatedDisk disk = new SimulatedDisk(31);
  private final StringWriter text = new StringWriter();

  @BeforeEach
  void aBrokerRanHere() throws IOException {
    DataDirectory directory = DataDirectory.open(disk, () -> new UUID(7, 7));
    JournalHarness journal = JournalHarness.start(disk);
    for (int i = 1; i <= 20; i++) {
      journal.appendForced("entry " + i);
    }
    SnapshotWriter snapshot = new SnapshotStore(disk).begin();
    snapshot.section(1, 5, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    snapshot.commit(5, 20);
    LogHarness logs = new LogHarness(disk);
    logs.append(0, 300, 10_000);
    logs.logs.open(new LogName("other queue", 3), LogState.empty(0, 0)).roll(0, 0);
    BodyStore.Writer body = new BodyStore(disk, 1).create(9);
    body.write(ByteBuffer.wrap(new byte[2000]));
    body.seal();
    journal.journal.close();
    directory.close();
  }

  private StoreTool tool(SimulatedDisk on) {
    return new StoreTool(on, new PrintWriter(text, true), JournalHarness::text);
  }

  private static Map<String, ByteBuffer> everything(SimulatedDisk disk) throws IOException {
    Map<String, ByteBuffer> files = new TreeMap<>();
    for (String directory :
        new String[] {
          "", "journal", "snapshots", "partitions/orders-0", "partitions/other%20queue-3", "bodies"
        }) {
      for (String name : disk.list(directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (!disk.isDirectory(path)) {
          files.put(path, ByteBuffer.wrap(disk.contents(path)));
        }
      }
    }
    return files;
  }

  @Test
  void aSoundDirectoryHasNoProblemsAndIsNotChanged() throws IOException {
    disk.plant("journal/left.unfinished", new byte[1]);
    Map<String, ByteBuffer> before = everything(disk);
    long operations = disk.operations();

    assertThat(tool(disk).verify()).as(text.toString()).isZero();
    tool(disk).stat();
    tool(disk).dumpJournal(0, 1000);
    tool(disk).dumpSnapshot();
    tool(disk).dumpPartition("orders-0", 0, 1000);

    assertThat(disk.operations()).isEqualTo(operations);
    assertThat(everything(disk).equals(before)).as("nothing changed").isTrue();
    assertThat(text.toString())
        .contains("No problems found")
        .contains("orders-0: 300 record(s) 0..299")
        .contains("other queue-3: 0 record(s)")
        .contains("last entry 20")
        .contains("replay from entry 6")
        .contains("bodies     1, 2000 bytes")
        .contains("7 epoch 1, 7 bytes: entry 7")
        .contains("object 1, 3 bytes: 010203")
        .contains("299 at ");
  }

  @Test
  void everyKindOfDamageIsFound() throws IOException {
    disk.flip(SEGMENT, 500);
    disk.flip("bodies/0000000000000009.body", 1000);
    disk.flip("snapshots/" + SnapshotFormat.fileName(1), 60);
    assertThat(tool(disk.copy()).verify()).isEqualTo(4);
    assertThat(text.toString())
        .contains("PROBLEM orders-0: unreadable records")
        .contains("PROBLEM simulated:/bodies/0000000000000009.body has a wrong")
        .contains("0000000000000001.snapshot is damaged")
        .contains("4 problem(s) found");
  }

  @Test
  void aCorruptJournalIsFound() throws IOException {
    disk.flip("journal/" + JournalFormat.fileName(1), 4096 * 8 + 66);
    assertThat(tool(disk).verify()).isEqualTo(1);
    assertThat(text.toString()).contains("PROBLEM The journal is corrupt");
  }

  @Test
  void aTornTailOfALogIsTold() throws IOException {
    LogState state = new LogInspector(disk).inspect("partitions/orders-0").state();
    String last =
        "partitions/orders-0/"
            + Segment.name(state.segments().get(state.segments().size() - 1).offset())
            + ".meta";
    byte[] bytes = disk.contents(last);
    disk.plant(last, java.util.Arrays.copyOf(bytes, bytes.length - 3));
    assertThat(tool(disk).verify()).isEqualTo(1);
    assertThat(text.toString())
        .contains("that are no intact record")
        .contains("299 record(s) checked");
  }

  @Test
  void aPartOfTheRecordsCanBeShown() throws IOException {
    tool(disk).dumpPartition("orders-0", 100, 2);
    assertThat(text.toString().lines()).hasSize(2).first().asString().startsWith("100 at ");
    assertThatThrownBy(() -> tool(disk).dumpPartition("none-0", 0, 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("store stat");
  }

  @Test
  void aDirectoryThatIsNotOursIsRefused() {
    assertThatThrownBy(() -> tool(new SimulatedDisk(1)).verify())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not a MetaQ data directory");
  }

  /**
   * M3, and what an import needs: a directory that MetaQ wrote has no index and perhaps neighbours
   * that are no partitions.
   */
  @Test
  void aDirectoryThatMetaQWroteIsUnderstoodFromItsRecordsAlone() throws IOException {
    SimulatedDisk foreign = new SimulatedDisk(1);
    for (int partition = 0; partition < 11; partition++) {
      for (String name : disk.list("partitions/orders-0")) {
        if (name.endsWith(".meta")) {
          foreign.plant(
              "partitions/test-" + partition + "/" + name,
              disk.contents("partitions/orders-0/" + name));
        }
      }
    }
    foreign.plant("partitions/transactions/redo.0", new byte[10]);
    PartitionLogs logs = new PartitionLogs(foreign, 4);
    assertThat(logs.list()).hasSize(11);
    for (LogName name : logs.list()) {
      LogInspector.Finding finding =
          new LogInspector(foreign).inspect(PartitionLogs.DIRECTORY + "/" + name.directory());
      assertThat(finding.problems()).isEmpty();
      assertThat(finding.state().nextSeq()).isEqualTo(300);
      PartitionLog log = logs.open(name, finding.state());
      assertThat(log.read(250, 1, 10).records().get(0).seq()).isEqualTo(250);
    }
  }
}
