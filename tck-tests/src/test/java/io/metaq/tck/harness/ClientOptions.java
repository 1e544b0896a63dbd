package io.metaq.tck.harness;

/**
 * How an administered connection factory is configured. Port 0 means the broker's own; another port
 * leads through a {@link TcpProxy}.
 */
public record ClientOptions(int port, String clientId, String user, String password) {

  public static ClientOptions plain() {
    return new ClientOptions(0, null, null, null);
  }

  public ClientOptions withPort(int newPort) {
    return new ClientOptions(newPort, clientId, user, password);
  }

  public ClientOptions withClientId(String newClientId) {
    return new ClientOptions(port, newClientId, user, password);
  }

  public ClientOptions withCredentials(String newUser, String newPassword) {
    return new ClientOptions(port, clientId, newUser, newPassword);
  }
}
