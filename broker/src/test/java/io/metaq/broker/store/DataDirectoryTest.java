package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final UUID IDENTITY = new UUID(1, 2);

  @TempDir private Path temp;

  @Test
  void aNewDirectoryGetsAnIdentityThatStaysAndAGenerationThatGrows() throws IOException {
    FileDisk disk = new FileDisk(temp.resolve("data/nested"));
    try (DataDirectory first = DataDirectory.open(disk, () -> IDENTITY)) {
      assertThat(first.identity()).isEqualTo(IDENTITY);
      assertThat(first.generation()).isEqualTo(1);
    }
    try (DataDirectory second = DataDirectory.open(disk, UUID::randomUUID)) {
      assertThat(second.identity()).isEqualTo(IDENTITY);
      assertThat(second.generation()).isEqualTo(2);
    }
  }

  @Test
  void aDirectoryInUseIsRefused() throws IOException {
    FileDisk disk = new FileDisk(temp);
    DataDirectory first = DataDirectory.open(disk, () -> IDENTITY);
    assertThatThrownBy(() -> DataDirectory.open(new FileDisk(temp), () -> IDENTITY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("in use by another broker")
        .hasMessageContaining(temp.toString());
    first.close();
    DataDirectory.open(disk, () -> IDENTITY).close();
  }

  @Test
  void aDirectoryInUseByAnotherProcessIsRefused() throws Exception {
    FileDisk disk = new FileDisk(temp);
    DataDirectory.open(disk, () -> IDENTITY).close();
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                temp.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> DataDirectory.open(disk, () -> IDENTITY))
          .hasMessageContaining("in use");
    } finally {
      other.destroyForcibly().waitFor();
    }
    DataDirectory.open(disk, () -> IDENTITY).close();
  }

  /** Holds the lock of a data directory until it is killed. */
  static final class LockHolder {
    private LockHolder() {}

    public static void main(String[] args) throws Exception {
      DataDirectory held = DataDirectory.open(new FileDisk(Path.of(args[0])), () -> IDENTITY);
      System.out.println("locked");
      System.in.read();
      held.close();
    }
  }

  @Test
  void aDirectoryThatIsNotOursIsRefusedAndLeftAsItIs() throws IOException {
    Files.writeString(temp.resolve("thesis.txt"), "years of work");
    assertThatThrownBy(() -> DataDirectory.open(new FileDisk(temp), () -> IDENTITY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not a MetaQ data directory")
        .hasMessageContaining("thesis.txt");
    try (var files = Files.list(temp)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "x");
    assertThatThrownBy(() -> DataDirectory.open(new FileDisk(file), () -> IDENTITY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aReadOnlyDirectoryIsRefusedWithItsReason() {
    SimulatedDisk disk = new SimulatedDisk(1);
    disk.before(
        (call, path) -> {
          if (call == SimulatedDisk.Call.CREATE) {
            throw new IOException("Read-only file system");
          }
        });
    assertThatThrownBy(() -> DataDirectory.open(disk, () -> IDENTITY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be written")
        .hasMessageContaining("Read-only file system");
  }

  @Test
  void anUnknownFormatLevelStopsTheStart() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    DataDirectory.open(disk, () -> IDENTITY).close();
    String text = new String(disk.contents(DataDirectory.MARKER), StandardCharsets.UTF_8);
    String body =
        text.substring(0, text.indexOf("checksum=")).replace("format.level=3", "format.level=4");
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    String changed = body + "checksum=" + String.format("%08x", crc.getValue()) + "\n";
    disk.plant(DataDirectory.MARKER, changed.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> DataDirectory.open(disk, () -> IDENTITY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("format level 4");
  }

  @Test
  void aDamagedMarkerStopsTheStartWhateverByteIsBad() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    DataDirectory.open(disk, () -> IDENTITY).close();
    int length = disk.contents(DataDirectory.MARKER).length;
    for (int at = 0; at < length; at++) {
      SimulatedDisk bad = disk.copy();
      bad.flip(DataDirectory.MARKER, at);
      int byteAt = at;
      assertThatThrownBy(() -> DataDirectory.open(bad, () -> IDENTITY))
          .as("byte %d", byteAt)
          .isInstanceOf(StoreException.class);
    }
  }

  @Test
  void aPowerCutAtAnyStepOfAStartNeverGivesAGenerationTwice() throws IOException {
    for (long k = 1; k < 25; k++) {
      SimulatedDisk disk = new SimulatedDisk(k);
      long highest = DataDirectory.open(disk, () -> IDENTITY).generation();
      SimulatedDisk next = disk.afterPowerCut();
      next.crashAtOperation(k);
      try {
        highest = Math.max(highest, DataDirectory.open(next, () -> IDENTITY).generation());
      } catch (SimulatedDisk.Crash e) {
        assertThat(next.isCrashed()).isTrue();
      }
      DataDirectory last = DataDirectory.open(next.afterPowerCut(), UUID::randomUUID);
      assertThat(last.generation()).isGreaterThan(highest);
      assertThat(last.identity()).isEqualTo(IDENTITY);
    }
  }
}
