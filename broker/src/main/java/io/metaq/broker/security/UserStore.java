package io.metaq.broker.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The users file: one {@code name:hash} a line. An instance is what one reading of the file found
 * and does not change; a change makes another one, which {@link #save} puts in the file's place in
 * one step, readable by its owner only.
 */
public final class UserStore {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

  private final Map<String, PasswordHash> users;

  private UserStore(Map<String, PasswordHash> users) {
    this.users = users;
  }

  /**
   * Reads a users file; one that does not exist has no users.
   *
   * @throws IOException if the file cannot be read or a line of it is not ours
   */
  public static UserStore load(Path file) throws IOException {
    Map<String, PasswordHash> users = new TreeMap<>();
    if (!Files.exists(file)) {
      return new UserStore(users);
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      try {
        String name = checked(colon < 0 ? line : line.substring(0, colon));
        users.put(name, PasswordHash.parse(line.substring(colon + 1)));
      } catch (IllegalArgumentException e) {
        throw new IOException(
            file
                + ":"
                + (i + 1)
                + " is no user ("
                + e.getMessage()
                + "); set it anew with 'bin/metaq user'",
            e);
      }
    }
    return new UserStore(users);
  }

  /** Writes all users to {@code file}, replacing it in one step. */
  public void save(Path file) throws IOException {
    StringBuilder text = new StringBuilder("# Kept by 'bin/metaq user'; one name:hash a line.\n");
    users.forEach((name, hash) -> text.append(name).append(':').append(hash.text()).append('\n'));
    Path target = file.toAbsolutePath();
    Files.createDirectories(target.getParent());
    Path temporary = createPrivate(target);
    try {
      Files.writeString(temporary, text, StandardCharsets.UTF_8);
      move(temporary, target);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static Path createPrivate(Path target) throws IOException {
    boolean posix = target.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? Files.createTempFile(
            target.getParent(),
            "users",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
        : Files.createTempFile(target.getParent(), "users", ".tmp");
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** These users and one more, or with another password for one of them. */
  public UserStore with(String name, char[] password) {
    if (password.length == 0) {
      throw new IllegalArgumentException("the password of '" + name + "' is empty");
    }
    Map<String, PasswordHash> changed = new TreeMap<>(users);
    changed.put(checked(name), PasswordHash.of(password, new SecureRandom()));
    return new UserStore(changed);
  }

  /** These users less one. */
  public UserStore without(String name) {
    Map<String, PasswordHash> changed = new TreeMap<>(users);
    changed.remove(name);
    return new UserStore(changed);
  }

  /** The names of all users. */
  public SortedSet<String> names() {
    return new TreeSet<>(users.keySet());
  }

  /** Whether there is no user. */
  public boolean isEmpty() {
    return users.isEmpty();
  }

  Optional<PasswordHash> hash(String name) {
    return Optional.ofNullable(users.get(name));
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no user name; use 1 to 64 of letters, digits and . _ @ -");
    }
    return name;
  }
}
