package io.metaq.broker.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as it stands in the users file: PBKDF2 with HMAC-SHA-512 over a random salt, in the
 * form {@code pbkdf2-sha512:iterations:salt:hash}. Iterations are kept with each hash, so that the
 * number for new ones can grow.
 */
final class PasswordHash {

  private static final String SCHEME = "pbkdf2-sha512";
  private static final int ITERATIONS = 210_000;
  private static final int MAX_ITERATIONS = 10_000_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BITS = 512;

  private final int iterations;
  private final byte[] salt;
  private final byte[] hash;

  private PasswordHash(int iterations, byte[] salt, byte[] hash) {
    this.iterations = iterations;
    this.salt = salt;
    this.hash = hash;
  }

  static PasswordHash of(char[] password, SecureRandom random) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return new PasswordHash(ITERATIONS, salt, derive(password, salt, ITERATIONS));
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it did not
   */
  static PasswordHash parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 4 || !parts[0].equals(SCHEME)) {
      throw new IllegalArgumentException("expected " + SCHEME + ":iterations:salt:hash");
    }
    int iterations = Integer.parseInt(parts[1]);
    byte[] salt = Base64.getDecoder().decode(parts[2]);
    byte[] hash = Base64.getDecoder().decode(parts[3]);
    if (iterations < 1
        || iterations > MAX_ITERATIONS
        || salt.length == 0
        || hash.length != HASH_BITS / 8) {
      throw new IllegalArgumentException("iterations, salt or hash out of range");
    }
    return new PasswordHash(iterations, salt, hash);
  }

  String text() {
    Base64.Encoder base64 = Base64.getEncoder();
    return String.join(
        ":",
        SCHEME,
        Integer.toString(iterations),
        base64.encodeToString(salt),
        base64.encodeToString(hash));
  }

  /** Takes about as long whether the password is right or wrong. */
  boolean matches(char[] password) {
    return MessageDigest.isEqual(hash, derive(password, salt, iterations));
  }

  private static byte[] derive(char[] password, byte[] salt, int iterations) {
    PBEKeySpec spec = new PBEKeySpec(password, salt, iterations, HASH_BITS);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot compute PBKDF2WithHmacSHA512", e);
    } finally {
      spec.clearPassword();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PasswordHash that
        && iterations == that.iterations
        && Arrays.equals(salt, that.salt)
        && MessageDigest.isEqual(hash, that.hash);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(salt);
  }

  @Override
  public String toString() {
    return SCHEME;
  }
}
