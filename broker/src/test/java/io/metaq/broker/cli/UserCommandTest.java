package io.metaq.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.security.Authenticator;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserCommandTest {

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int metaq(String input, String... args) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(Charset.defaultCharset())));
    try {
      return Main.commandLine()
          .setOut(new PrintWriter(out, true))
          .setErr(new PrintWriter(err, true))
          .execute(args);
    } finally {
      System.setIn(before);
    }
  }

  private String file() {
    return folder.resolve("users").toString();
  }

  @Test
  void usersAreAddedListedChangedAndRemoved() throws Exception {
    assertThat(metaq("one\n", "user", "add", "--file", file(), "alice")).isZero();
    assertThat(metaq("two\n", "user", "add", "--file", file(), "bob")).isZero();
    assertThat(metaq("new\n", "user", "passwd", "--file", file(), "alice")).isZero();
    assertThat(metaq("", "user", "remove", "--file", file(), "bob")).isZero();
    out.getBuffer().setLength(0);
    assertThat(metaq("", "user", "list", "--file", file())).isZero();

    assertThat(out).hasToString("alice" + System.lineSeparator());
    Authenticator authenticator = new Authenticator(Path.of(file()));
    assertThat(authenticator.accepts("alice", "new".toCharArray())).isTrue();
    assertThat(authenticator.accepts("alice", "one".toCharArray())).isFalse();
  }

  @Test
  void aUserIsNotAddedTwiceAndAnUnknownOneNotChanged() throws Exception {
    metaq("one\n", "user", "add", "--file", file(), "alice");
    byte[] before = Files.readAllBytes(Path.of(file()));

    assertThat(metaq("two\n", "user", "add", "--file", file(), "alice")).isEqualTo(1);
    assertThat(metaq("two\n", "user", "passwd", "--file", file(), "bob")).isEqualTo(1);
    assertThat(metaq("", "user", "remove", "--file", file(), "bob")).isEqualTo(1);
    assertThat(metaq("", "user", "add", "--file", file(), "carol")).isEqualTo(1);

    assertThat(err.toString())
        .contains("user 'alice' exists already")
        .contains("there is no user 'bob'")
        .contains("no password on standard input");
    assertThat(Files.readAllBytes(Path.of(file()))).isEqualTo(before);
  }

  @Test
  void aWrongCallPrintsTheUsageAndExitsWithTwo() {
    assertThat(metaq("", "user")).isEqualTo(2);
    assertThat(metaq("", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("Usage: metaq");
  }
}
