package io.metaq.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsersTest {

  @TempDir Path folder;

  private void save(String name, String password) throws Exception {
    Path file = folder.resolve("users");
    UserStore.load(file).with(name, password.toCharArray()).save(file);
  }

  @Test
  void aUserIsAcceptedWithItsPasswordOnly() throws Exception {
    save("alice", "wonderland");
    Authenticator authenticator = new Authenticator(folder.resolve("users"));

    assertThat(authenticator.required()).isTrue();
    assertThat(authenticator.accepts("alice", "wonderland".toCharArray())).isTrue();
    assertThat(authenticator.accepts("alice", "wonderland".toCharArray())).isTrue();
    assertThat(authenticator.accepts("alice", "looking-glass".toCharArray())).isFalse();
    assertThat(authenticator.accepts("bob", "wonderland".toCharArray())).isFalse();
  }

  @Test
  void aChangedFileCountsWithoutARestart() throws Exception {
    save("alice", "old");
    Authenticator authenticator = new Authenticator(folder.resolve("users"));
    assertThat(authenticator.accepts("alice", "old".toCharArray())).isTrue();

    save("alice", "new");
    Files.setLastModifiedTime(
        folder.resolve("users"), FileTime.from(Instant.now().plusSeconds(10)));

    assertThat(authenticator.accepts("alice", "old".toCharArray())).isFalse();
    assertThat(authenticator.accepts("alice", "new".toCharArray())).isTrue();
  }

  @Test
  void removingTheLastUserShutsEverybodyOut() throws Exception {
    save("alice", "secret");
    Path file = folder.resolve("users");
    Authenticator authenticator = new Authenticator(file);

    UserStore.load(file).without("alice").save(file);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));

    assertThat(authenticator.required()).isTrue();
    assertThat(authenticator.accepts("alice", "secret".toCharArray())).isFalse();
  }

  @Test
  void withoutAFileThereIsNoUserAndNoLoginIsAskedFor() throws Exception {
    assertThat(new Authenticator(folder.resolve("absent")).required()).isFalse();
  }

  @Test
  void theFileHoldsNoPasswordAndOnlyItsOwnerReadsIt() throws Exception {
    save("alice", "wonderland");
    save("bob", "wonderland");
    Path file = folder.resolve("users");

    String text = Files.readString(file);
    assertThat(text).doesNotContain("wonderland");
    assertThat(text.lines().filter(l -> l.contains(":")).map(l -> l.substring(l.indexOf(':'))))
        .doesNotHaveDuplicates();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "ä", "a\nb"})
  void aNameThatTheFileCouldNotHoldIsRefused(String name) throws Exception {
    UserStore users = UserStore.load(folder.resolve("users"));

    assertThatThrownBy(() -> users.with(name, "x".toCharArray()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no user name");
  }
}
