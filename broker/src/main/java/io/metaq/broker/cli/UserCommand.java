package io.metaq.broker.cli;

import io.metaq.broker.security.UserStore;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code metaq user}: keeps the users file. A running broker notices the change. Passwords are
 * asked for, or read as one line from standard input; never taken from the command line, which
 * others can see.
 */
@Command(
    name = "user",
    description = "Keep the users who may log in.",
    mixinStandardHelpOptions = true)
final class UserCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "users file; the one of the configuration's usersFile (default: conf/users)")
  private Path file;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say add, remove, list or passwd");
  }

  @Command(description = "Add a user; asks for the password.")
  int add(@Parameters(paramLabel = "NAME") String name) throws IOException {
    UserStore users = UserStore.load(file());
    if (users.names().contains(name)) {
      throw new IOException(
          "user '"
              + name
              + "' exists already; 'metaq user passwd "
              + name
              + "' changes the password");
    }
    return save(users, name, "added");
  }

  @Command(description = "Change a user's password; asks for the new one.")
  int passwd(@Parameters(paramLabel = "NAME") String name) throws IOException {
    return save(existing(name), name, "changed");
  }

  @Command(description = "Remove a user.")
  int remove(@Parameters(paramLabel = "NAME") String name) throws IOException {
    existing(name).without(name).save(file());
    say("removed user '" + name + "' from " + file());
    return 0;
  }

  @Command(description = "List the users.")
  int list() throws IOException {
    UserStore.load(file()).names().forEach(this::say);
    return 0;
  }

  private UserStore existing(String name) throws IOException {
    UserStore users = UserStore.load(file());
    if (!users.names().contains(name)) {
      throw new IOException("there is no user '" + name + "' in " + file());
    }
    return users;
  }

  private int save(UserStore users, String name, String done) throws IOException {
    char[] password = password(name);
    try {
      users.with(name, password).save(file());
    } finally {
      Arrays.fill(password, '\0');
    }
    say(done + " user '" + name + "' in " + file());
    return 0;
  }

  private char[] password(String name) throws IOException {
    Console console = System.console();
    if (console == null) {
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
      return Optional.ofNullable(input.readLine())
          .orElseThrow(() -> new IOException("no password on standard input"))
          .toCharArray();
    }
    char[] once = console.readPassword("Password for %s: ", name);
    char[] again = console.readPassword("Once more: ");
    if (once == null || again == null || !Arrays.equals(once, again)) {
      throw new IOException("the two passwords differ; nothing was changed");
    }
    return once;
  }

  private Path file() {
    return file != null ? file : Home.folder().resolve("conf").resolve("users");
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
