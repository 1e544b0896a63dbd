package io.metaq.tck.harness;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ServerIni;
import io.metaq.broker.security.UserStore;
import io.metaq.jms.AbstractConnectionFactory;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.jms.MetaqXAConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One embedded MetaQ broker. */
final class MetaqBroker implements BrokerUnderTest {

  private final BrokerMode mode;
  private final Path directory;
  private final int port;
  private EmbeddedBroker broker;

  MetaqBroker(BrokerMode mode) throws Exception {
    this.mode = mode;
    this.directory = Files.createTempDirectory("metaq-tck");
    if (mode == BrokerMode.SECURED) {
      Path users = directory.resolve("users");
      UserStore.load(users).with(BrokerMode.USER, BrokerMode.PASSWORD.toCharArray()).save(users);
    }
    start(0);
    this.port = broker.port();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public ConnectionFactory connectionFactory(ClientOptions options) {
    return plain(options);
  }

  @Override
  public QueueConnectionFactory queueConnectionFactory(ClientOptions options) {
    return plain(options);
  }

  @Override
  public TopicConnectionFactory topicConnectionFactory(ClientOptions options) {
    return plain(options);
  }

  @Override
  public XAConnectionFactory xaConnectionFactory(ClientOptions options) {
    return configured(new MetaqXAConnectionFactory(url(options)), options);
  }

  @Override
  public void restart() throws Exception {
    broker.close();
    start(port);
  }

  @Override
  public void empty() {
    broker.emptyBroker();
  }

  @Override
  public void close() {
    broker.close();
    try {
      Directories.delete(directory);
    } catch (IOException e) {
      throw new HarnessException("Cannot delete " + directory, e);
    }
  }

  private void start(int wantedPort) throws Exception {
    EmbeddedBroker.Builder builder =
        EmbeddedBroker.builder().config(configuration()).port(wantedPort);
    broker = builder.dataDirectory(directory.resolve("data")).start();
  }

  private BrokerConfig configuration() throws Exception {
    return switch (mode) {
      case OPEN -> ServerIni.parse("[system]\nserverPort=0\n", directory);
      case SECURED -> ServerIni.parse("[system]\nserverPort=0\nusersFile=users\n", directory);
      case DECLARED_ONLY ->
          ServerIni.parse(
              "[system]\nserverPort=0\nautoCreate=false\n[queue="
                  + BrokerMode.DECLARED_QUEUE
                  + "]\n[topic="
                  + BrokerMode.DECLARED_TOPIC
                  + "]\n",
              directory);
    };
  }

  private MetaqConnectionFactory plain(ClientOptions options) {
    return configured(new MetaqConnectionFactory(url(options)), options);
  }

  private String url(ClientOptions options) {
    return "metaq://127.0.0.1:" + (options.port() == 0 ? port : options.port());
  }

  private static <T extends AbstractConnectionFactory> T configured(
      T factory, ClientOptions options) {
    if (options.clientId() != null) {
      factory.setClientId(options.clientId());
    }
    if (options.user() != null) {
      factory.setUser(options.user());
      factory.setPassword(options.password());
    }
    return factory;
  }
}
