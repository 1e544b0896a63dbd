package io.metaq.broker.security;

import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Checks a name and a password against the users file, noticing when the file changes. Apart from
 * {@link UserStore} because it remembers: a password hash is slow by design (tens of milliseconds;
 * do not call this on an event loop), so a password that was right once is recognised by a keyed
 * digest that never leaves this process. Safe for use by several threads.
 */
public final class Authenticator {

  private record Loaded(FileTime modified, UserStore users) {}

  private record Known(PasswordHash hash, byte[] digest) {}

  private final Path file;
  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  /** Compared against for an unknown name. Made when first needed: it takes as long as a login. */
  private volatile PasswordHash nobody;

  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private volatile Loaded loaded;
  private volatile boolean required;

  /**
   * Reads the users file.
   *
   * @param file may be missing: then there are no users
   */
  public Authenticator(Path file) throws IOException {
    this.file = file;
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, "HmacSHA256");
    this.loaded = read();
    this.required = !loaded.users().isEmpty();
  }

  /**
   * Whether a login is asked for: once there has been a user, always, so that removing the last one
   * shuts everybody out rather than letting everybody in.
   */
  public boolean required() throws IOException {
    if (!required && !users().isEmpty()) {
      required = true;
    }
    return required;
  }

  /**
   * Whether {@code password} is the user's; takes as long for an unknown name as for a wrong
   * password.
   */
  public boolean accepts(String name, char[] password) throws IOException {
    Optional<PasswordHash> hash = users().hash(name);
    if (hash.isEmpty()) {
      nobody().matches(password);
      return false;
    }
    byte[] digest = digest(password);
    Known seen = known.get(name);
    if (seen != null
        && seen.hash().equals(hash.get())
        && MessageDigest.isEqual(seen.digest(), digest)) {
      return true;
    }
    if (!hash.get().matches(password)) {
      return false;
    }
    known.put(name, new Known(hash.get(), digest));
    return true;
  }

  private PasswordHash nobody() {
    PasswordHash made = nobody;
    if (made == null) {
      made = PasswordHash.of(new char[] {'-'}, random);
      nobody = made;
    }
    return made;
  }

  private UserStore users() throws IOException {
    Loaded current = loaded;
    if (!current.modified().equals(modified())) {
      current = read();
      loaded = current;
    }
    return current.users();
  }

  private Loaded read() throws IOException {
    FileTime before = modified();
    return new Loaded(before, UserStore.load(file));
  }

  private FileTime modified() throws IOException {
    return Files.exists(file) ? Files.getLastModifiedTime(file) : FileTime.fromMillis(0);
  }

  private byte[] digest(char[] password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update(StandardCharsets.UTF_8.encode(CharBuffer.wrap(password)));
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot compute HmacSHA256", e);
    }
  }
}
