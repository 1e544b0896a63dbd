package io.metaq.ra.outbound;

import jakarta.resource.spi.ConnectionRequestInfo;

/**
 * User and password that the application named itself; both null where it named none. The password
 * shows in no string.
 */
record Credentials(String user, String password) implements ConnectionRequestInfo {
  static final Credentials NONE = new Credentials(null, null);

  @Override
  public String toString() {
    return "Credentials[" + user + "]";
  }
}
