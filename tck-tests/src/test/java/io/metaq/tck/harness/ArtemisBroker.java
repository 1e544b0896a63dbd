package io.metaq.tck.harness;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.CoreAddressConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQQueueConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQTopicConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQXAConnectionFactory;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/** One embedded Artemis broker. */
final class ArtemisBroker implements BrokerUnderTest {

  private final BrokerMode mode;
  private final int port;
  private final Path directory;
  private EmbeddedActiveMQ broker;

  ArtemisBroker(BrokerMode mode) throws Exception {
    this.mode = mode;
    this.port = freePort();
    this.directory = Files.createTempDirectory("artemis");
    start();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public ConnectionFactory connectionFactory(ClientOptions options) {
    return configured(new ActiveMQJMSConnectionFactory(url(options)), options);
  }

  @Override
  public QueueConnectionFactory queueConnectionFactory(ClientOptions options) {
    return configured(new ActiveMQQueueConnectionFactory(url(options)), options);
  }

  @Override
  public TopicConnectionFactory topicConnectionFactory(ClientOptions options) {
    return configured(new ActiveMQTopicConnectionFactory(url(options)), options);
  }

  @Override
  public XAConnectionFactory xaConnectionFactory(ClientOptions options) {
    return configured(new ActiveMQXAConnectionFactory(url(options)), options);
  }

  @Override
  public void restart() throws Exception {
    broker.stop();
    start();
  }

  @Override
  public void empty() throws Exception {
    ActiveMQServer server = broker.getActiveMQServer();
    for (String queue : server.getActiveMQServerControl().getQueueNames()) {
      server.destroyQueue(SimpleString.of(queue), null, false, false, true);
    }
  }

  @Override
  public void close() {
    try {
      broker.stop();
      Directories.delete(directory);
    } catch (Exception e) {
      throw new HarnessException("Cannot stop the Artemis broker on port " + port, e);
    }
  }

  private void start() throws Exception {
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration
        .setPersistenceEnabled(true)
        .setSecurityEnabled(mode == BrokerMode.SECURED)
        .setJournalType(JournalType.NIO)
        .setJournalDatasync(false)
        .setJournalPoolFiles(2)
        .setJournalFileSize(1 << 20)
        .setJournalDirectory(directory.resolve("journal").toString())
        .setBindingsDirectory(directory.resolve("bindings").toString())
        .setPagingDirectory(directory.resolve("paging").toString())
        .setLargeMessagesDirectory(directory.resolve("large").toString());
    configuration.addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port);
    AddressSettings settings = new AddressSettings();
    settings.setMaxDeliveryAttempts(-1);
    if (mode == BrokerMode.DECLARED_ONLY) {
      settings.setAutoCreateAddresses(false).setAutoCreateQueues(false);
      configuration.addAddressConfiguration(
          declared(BrokerMode.DECLARED_QUEUE, RoutingType.ANYCAST));
      configuration.addAddressConfiguration(
          declared(BrokerMode.DECLARED_TOPIC, RoutingType.MULTICAST));
    }
    configuration.addAddressSetting("#", settings);
    broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration);
    if (mode == BrokerMode.SECURED) {
      secure(configuration);
    }
    broker.start();
  }

  private void secure(ConfigurationImpl configuration) {
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(BrokerMode.USER, BrokerMode.PASSWORD);
    users.addRole(BrokerMode.USER, "all");
    broker.setSecurityManager(
        new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
    configuration.putSecurityRoles(
        "#",
        Set.of(
            new Role(
                "all", true, true, true, true, true, true, true, true, true, true, true, true)));
  }

  private static CoreAddressConfiguration declared(String name, RoutingType type) {
    CoreAddressConfiguration address =
        new CoreAddressConfiguration().setName(name).addRoutingType(type);
    if (type == RoutingType.ANYCAST) {
      address.setQueueConfigs(
          List.of(QueueConfiguration.of(name).setAddress(name).setRoutingType(type)));
    }
    return address;
  }

  private String url(ClientOptions options) {
    int target = options.port() == 0 ? port : options.port();
    return "tcp://127.0.0.1:"
        + target
        + "?reconnectAttempts=50&retryInterval=20&minLargeMessageSize=50000000&confirmationWindowSize=10485760";
  }

  private static <T extends ActiveMQConnectionFactory> T configured(
      T factory, ClientOptions options) {
    if (options.clientId() != null) {
      factory.setClientID(options.clientId());
    }
    if (options.user() != null) {
      factory.setUser(options.user()).setPassword(options.password());
    }
    factory.setBlockOnNonDurableSend(true);
    return factory;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
