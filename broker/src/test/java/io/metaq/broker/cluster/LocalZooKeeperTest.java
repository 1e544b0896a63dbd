package io.metaq.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalZooKeeperTest {

  @TempDir Path folder;

  @Test
  void whatWasWrittenIsThereAfterARestart() throws Exception {
    try (LocalZooKeeper zookeeper = LocalZooKeeper.start(folder, 0);
        CuratorFramework client = client(zookeeper)) {
      client.create().creatingParentsIfNeeded().forPath("/meta/x", bytes("1"));
    }
    try (LocalZooKeeper zookeeper = LocalZooKeeper.start(folder, 0);
        CuratorFramework client = client(zookeeper)) {
      assertThat(client.getData().forPath("/meta/x")).isEqualTo(bytes("1"));
    }
  }

  @Test
  void aTakenPortIsNamedWithWhatToDo() throws Exception {
    try (LocalZooKeeper first = LocalZooKeeper.start(folder.resolve("a"), 0)) {
      int port = Integer.parseInt(first.connectString().split(":")[1]);

      assertThatThrownBy(() -> LocalZooKeeper.start(folder.resolve("b"), port))
          .hasMessageContaining("cannot listen on port " + port)
          .hasMessageContaining("zk.server.port");
    }
  }

  private static CuratorFramework client(LocalZooKeeper zookeeper) throws InterruptedException {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(zookeeper.connectString(), new RetryOneTime(100));
    client.start();
    assertThat(client.blockUntilConnected(10, TimeUnit.SECONDS)).isTrue();
    return client;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
