package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for the real disk holds for the simulated one. */
class DiskContractTest {
  @TempDir private Path temp;

  enum Kind {
    FILES,
    SIMULATED
  }

  private Disk disk(Kind kind) {
    return kind == Kind.FILES ? new FileDisk(temp) : new SimulatedDisk(1);
  }

  private static ByteBuffer bytes(String text) {
    return JournalHarness.bytes(text);
  }

  private static String read(DiskFile file, long position, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    file.read(target, position);
    return JournalHarness.text(target.flip());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void filesAreWrittenReadCutAndCopied(Kind kind) throws IOException {
    Disk disk = disk(kind);
    disk.createDirectoryDurably("a/b");
    try (DiskFile file = disk.create("a/b/one");
        DiskFile other = disk.create("a/b/two")) {
      file.write(bytes("hello"), 0);
      file.write(new ByteBuffer[] {bytes(" big"), bytes(""), bytes(" world")}, 5);
      file.force();
      assertThat(read(file, 0, 100)).isEqualTo("hello big world");
      assertThat(read(file, 6, 3)).isEqualTo("big");
      assertThat(read(file, 50, 3)).isEmpty();
      file.copyTo(6, 3, other, 2);
      assertThat(read(other, 0, 10)).isEqualTo("\0\0big");
      assertThatThrownBy(() -> file.copyTo(10, 30, other, 0)).isInstanceOf(IOException.class);
      file.truncate(5);
      file.truncate(99);
      assertThat(file.size()).isEqualTo(5);
      assertThat(disk.size("a/b/one")).isEqualTo(5);
      file.write(bytes("x"), 7);
      assertThat(read(file, 0, 10)).isEqualTo("hello\0\0x");
    }
    disk.forceDirectory("a/b");
    assertThat(disk.list("a/b")).containsExactly("one", "two");
    assertThat(disk.lastModifiedMillis("a/b/one")).isPositive();
    assertThat(disk.usableSpace()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void namesBehaveAlike(Kind kind) throws IOException {
    Disk disk = disk(kind);
    disk.createDirectories("d");
    disk.create("d/a").close();
    assertThatThrownBy(() -> disk.create("d/a")).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk.open("d/none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.openForRead("d/none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.delete("d/none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.list("none")).isInstanceOf(NoSuchFileException.class);
    disk.create("d/b").close();
    disk.rename("d/a", "d/b");
    assertThat(disk.list("d")).containsExactly("b");
    assertThat(disk.list("")).contains("d");
    assertThat(disk.isDirectory("d")).isTrue();
    assertThat(disk.isDirectory("d/b")).isFalse();
    assertThat(disk.exists("d/b")).isTrue();
    disk.delete("d/b");
    disk.delete("d");
    assertThat(disk.exists("d")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLockExcludesASecondOne(Kind kind) throws IOException {
    Disk disk = disk(kind);
    var lock = disk.tryLock("lock").orElseThrow();
    assertThat(disk.tryLock("lock")).isEmpty();
    lock.close();
    disk.tryLock("lock").orElseThrow().close();
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, names = "FILES")
  void noPathLeadsOutOfTheDirectory(Kind kind) {
    Disk disk = disk(kind);
    Stream.of("../x", "a/../../x", "/etc/passwd")
        .forEach(
            path ->
                assertThatThrownBy(() -> disk.open(path))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class));
  }
}
