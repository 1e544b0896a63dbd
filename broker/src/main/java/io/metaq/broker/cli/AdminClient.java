package io.metaq.broker.cli;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ClientOption;
import io.metaq.transport.ConnectionEvents;
import io.metaq.transport.ConnectionSettings;
import io.metaq.transport.MetaqUri;
import io.metaq.transport.RequestRefusedException;
import io.metaq.transport.Resumption;
import io.metaq.transport.SocketConnector;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.Frame;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Asks a running broker one administrative question. */
final class AdminClient {
  private AdminClient() {}

  /**
   * The rows of the answer.
   *
   * @throws IOException if the broker cannot be reached or refuses, saying why
   */
  static List<Map<String, String>> ask(String url, String operation, List<String> arguments)
      throws IOException {
    MetaqUri uri = MetaqUri.parse(url);
    ConnectionSettings settings =
        new ConnectionSettings(
            uri,
            orNull(uri.text(ClientOption.USER)),
            orNull(uri.text(ClientOption.PASSWORD)),
            null,
            UUID.randomUUID(),
            SocketConnector.plain());
    BrokerConnection connection = null;
    try {
      connection = BrokerConnection.open(settings, new NoEvents());
      Frame answer = connection.requestOnce(new Admin(operation, arguments), connection.epoch());
      if (answer instanceof AdminResult result) {
        return result.rows();
      }
      throw new IOException(
          "the broker answered " + operation + " with a " + answer.type() + " frame");
    } catch (RequestRefusedException refused) {
      throw new IOException(refused.getMessage(), refused);
    } finally {
      if (connection != null) {
        connection.close(uri.number(ClientOption.CLOSE_TIMEOUT));
      }
    }
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** One question needs no news. */
  private static final class NoEvents implements ConnectionEvents {
    @Override
    public void received(Frame frame) {}

    @Override
    public void lost(IOException cause) {}

    @Override
    public void resume(Resumption resumption) {}

    @Override
    public void resumed() {}

    @Override
    public void failed(IOException cause) {}
  }
}
