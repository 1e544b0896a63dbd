package io.metaq.transport;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.WireException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;

/**
 * Connects to the addresses in turn and logs in. Apart because it is done by the opener first and
 * by the reconnect later.
 */
final class Login {
  private final ConnectionSettings settings;
  private final String client;
  private int attempt;
  private int next;
  private volatile String clientId;

  Login(ConnectionSettings settings) {
    this.settings = settings;
    this.clientId = settings.clientId();
    String version = Login.class.getPackage().getImplementationVersion();
    this.client = "metaq-java/" + (version == null ? "development" : version);
  }

  /** From the next login on this is claimed. */
  void clientId(String id) {
    clientId = id;
  }

  /** A link that is logged in, and what the broker said. */
  record Result(Link link, Welcome welcome) {}

  /**
   * Tries each address once, beginning behind the last one tried.
   *
   * @throws IOException naming each address and what was wrong
   * @throws RequestRefusedException if a broker refused for good
   */
  Result round() throws IOException, RequestRefusedException {
    List<BrokerAddress> addresses = settings.uri().addresses();
    IOException failure = null;
    for (int i = 0; i < addresses.size(); i++) {
      BrokerAddress address = addresses.get(next);
      try {
        return login(address);
      } catch (RequestRefusedException e) {
        if (isFinal(e.code())) {
          throw e;
        }
        failure =
            chain(failure, new IOException("Broker " + address + " refused: " + e.getMessage(), e));
      } catch (IOException e) {
        failure = chain(failure, e);
      }
      next = (next + 1) % addresses.size();
    }
    throw failure;
  }

  private static IOException chain(IOException former, IOException latest) {
    if (former == null) {
      return latest;
    }
    IOException both = new IOException(former.getMessage() + "; " + latest.getMessage(), latest);
    both.addSuppressed(former);
    return both;
  }

  private static boolean isFinal(ErrorCode code) {
    return switch (code) {
      case SECURITY, INVALID_CLIENT_ID, PROTOCOL, UNSUPPORTED -> true;
      default -> false;
    };
  }

  private Result login(BrokerAddress address) throws IOException, RequestRefusedException {
    int timeout = settings.uri().number(ClientOption.CONNECT_TIMEOUT);
    Socket socket = settings.connector().connect(address, timeout);
    Link link = null;
    boolean done = false;
    try {
      link = new Link(socket, address);
      link.append(0, hello());
      link.flush();
      Envelope first = link.read(timeout);
      if (first == null) {
        throw new IOException(
            "Broker " + address + " did not answer the login within " + timeout + " ms");
      }
      Frame answer = first.frame();
      if (answer instanceof Failure failure) {
        throw new RequestRefusedException(failure);
      }
      if (!(answer instanceof Welcome welcome)) {
        throw new IOException(
            "Broker " + address + " answered the login with a " + answer.type() + " frame");
      }
      link.loggedIn();
      done = true;
      return new Result(link, welcome);
    } catch (WireException e) {
      throw new IOException("No MetaQ broker answers at " + address + ": " + e.getMessage(), e);
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }

  private Hello hello() {
    return new Hello(
        FrameCodec.PROTOCOL_VERSION,
        client,
        settings.connectionId(),
        attempt++,
        clientId,
        settings.user(),
        settings.password(),
        settings.uri().number(ClientOption.HEARTBEAT));
  }
}
