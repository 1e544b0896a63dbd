package io.metaq.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ServerIni;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerRegistrationTest {

  private static final String PATH = "/meta/brokers/ids/3/master";

  @TempDir Path folder;

  private LocalZooKeeper zookeeper;
  private CuratorFramework client;

  @BeforeEach
  void start() throws Exception {
    zookeeper = LocalZooKeeper.start(folder, 0);
    client = CuratorFrameworkFactory.newClient(zookeeper.connectString(), new RetryOneTime(100));
    client.start();
  }

  @AfterEach
  void stop() {
    client.close();
    zookeeper.close();
  }

  private BrokerConfig config(Map<String, String> more) throws Exception {
    return ServerIni.parse(
        "[system]\nbrokerId=3\n[zookeeper]\nzk.zkSessionTimeoutMs=4000\n", folder, more);
  }

  private BrokerRegistration register(int port) throws Exception {
    return BrokerRegistration.register(config(Map.of()), zookeeper.connectString(), port);
  }

  @Test
  void aBrokerIsFoundWhileItServesAndNotAfterwards() throws Exception {
    try (BrokerRegistration registration = register(8123)) {
      assertThat(registration.path()).isEqualTo(PATH);
      assertThat(new String(client.getData().forPath(PATH), StandardCharsets.UTF_8))
          .isEqualTo("meta://127.0.0.1:8123");
    }
    assertThat(client.checkExists().forPath(PATH)).isNull();
  }

  @Test
  void theRemainsOfAKilledPredecessorAreReplacedAtOnce() throws Exception {
    client
        .create()
        .creatingParentsIfNeeded()
        .withMode(CreateMode.EPHEMERAL)
        .forPath(PATH, "meta://127.0.0.1:8123".getBytes(StandardCharsets.UTF_8));

    try (BrokerRegistration registration = register(8123)) {
      client.close();
      client = CuratorFrameworkFactory.newClient(zookeeper.connectString(), new RetryOneTime(100));
      client.start();
      assertThat(client.checkExists().forPath(registration.path())).isNotNull();
    }
  }

  @Test
  void aSecondBrokerOfTheSameIdIsRefused() throws Exception {
    try (BrokerRegistration first = register(8123)) {
      assertThatThrownBy(() -> register(8124))
          .hasMessageContaining("broker id 3 is taken by meta://127.0.0.1:8123");
      assertThat(client.checkExists().forPath(first.path())).isNotNull();
    }
  }

  @Test
  void anEnsembleThatDoesNotAnswerIsNamedWithWhatToDo() throws Exception {
    BrokerConfig impatient = config(Map.of("zk.zkConnectionTimeoutMs", "300"));
    zookeeper.close();

    assertThatThrownBy(
            () -> BrokerRegistration.register(impatient, zookeeper.connectString(), 8123))
        .hasMessageContaining("does not answer")
        .hasMessageContaining("start local");
  }
}
