package io.metaq.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.broker.config.DestinationConfig.Kind;
import io.metaq.broker.security.UserStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerIniTest {

  @TempDir Path folder;

  private BrokerConfig parse(String text) throws ConfigException {
    return ServerIni.parse(text, folder);
  }

  private ConfigException faultsOf(String text) {
    return catchThrowableOfType(ConfigException.class, () -> parse(text));
  }

  @Test
  void anEmptyFileIsACompleteConfiguration() throws Exception {
    BrokerConfig config = parse("");

    assertThat(config.bindAddress()).isEqualTo("127.0.0.1");
    assertThat(config.serverPort()).isEqualTo(8123);
    assertThat(config.defaults().flush().groupCommit()).isTrue();
    assertThat(config.updateConsumerOffsets()).isFalse();
    assertThat(config.maxSegmentSize()).isEqualTo(64 << 20);
    assertThat(config.autoCreate()).isTrue();
    assertThat(config.destinations()).isEmpty();
    assertThat(config.defaults().deletePolicy().age()).isEqualTo(Duration.ofHours(168));
  }

  @Test
  void aFileAsMetaqShippedItIsUnderstood() throws Exception {
    BrokerConfig config =
        parse(
            """
            [system]
            brokerId=7
            numPartitions=4
            serverPort=8200
            unflushThreshold=1000
            unflushInterval=10000
            maxSegmentSize=1024*1024*1024
            maxTransferSize=1048576
            deletePolicy=delete,168
            deleteWhen=0 0 6,18 * * ?
            flushTxLogAtCommit=1
            stat=true
            putProcessThreadCount=10*4
            updateConsumerOffsets=true

            [zookeeper]
            zk.zkConnect=zk1:2181,zk2:2181
            zk.zkSessionTimeoutMs=30000

            ; topics
            [topic=orders]
            numPartitions=10
            group.audit=com.example.AuditFilter
            """);

    assertThat(config.brokerId()).isEqualTo(7);
    assertThat(config.notes())
        .extracting(Fault::text)
        .containsExactlyInAnyOrder(
            "updateConsumerOffsets is not heeded yet",
            "the filter of group audit is not heeded yet");
    assertThat(config.maxSegmentSize()).isEqualTo(1 << 30);
    assertThat(config.zookeeper().connect()).isEqualTo("zk1:2181,zk2:2181");
    DestinationConfig orders = config.declared(Kind.TOPIC, "orders").orElseThrow();
    assertThat(orders.numPartitions()).isEqualTo(10);
    assertThat(orders.flush().unflushThreshold()).isEqualTo(1000);
    assertThat(orders.filters()).containsEntry("audit", "com.example.AuditFilter");
  }

  @Test
  void aDestinationInheritsWhatTheSystemSectionSays() throws Exception {
    BrokerConfig config =
        parse(
            """
            [queue=invoices]
            maxDeliveries=3
            limitPolicy=dropOldest
            [system]
            redeliveryDelay=250
            deadLetterQueue=graveyard
            """);

    DestinationConfig invoices = config.declared(Kind.QUEUE, "invoices").orElseThrow();
    assertThat(invoices.redelivery().delay()).isEqualTo(Duration.ofMillis(250));
    assertThat(invoices.redelivery().maxDeliveries()).isEqualTo(3);
    assertThat(invoices.redelivery().deadLetterQueue()).contains("graveyard");
    assertThat(invoices.limits().policy()).isEqualTo(LimitPolicy.DROP_OLDEST);
    assertThat(config.declared(Kind.TOPIC, "invoices")).isEmpty();
  }

  @Test
  void anExactNameWinsOverAPatternAndTheLongerPatternOverTheShorter() throws Exception {
    BrokerConfig config =
        parse(
            """
            [topic=a.*]
            numPartitions=2
            [topic=a.b.*]
            numPartitions=3
            [topic=a.b.c]
            numPartitions=4
            """);

    assertThat(config.declared(Kind.TOPIC, "a.x").orElseThrow().numPartitions()).isEqualTo(2);
    assertThat(config.declared(Kind.TOPIC, "a.b.x").orElseThrow().numPartitions()).isEqualTo(3);
    assertThat(config.declared(Kind.TOPIC, "a.b.c").orElseThrow().numPartitions()).isEqualTo(4);
    assertThat(config.declared(Kind.TOPIC, "axb")).isEmpty();
  }

  @Test
  void everyFaultOfAFileIsReportedAtOnceWithItsLine() {
    ConfigException e =
        faultsOf(
            """
            brokerId=1
            [system]
            brokerId=1024
            numPartition=2
            serverPort=eight
            deletePolicy=burn,1
            deleteWhen=whenever
            stat=yes
            zk.zkRoot=/meta
            brokerId=2
            nonsense
            [topic=orders]
            limitPolicy=drop
            maxMessages=0
            [queue=orders]
            [topic=]
            [topics]
            [system]
            [zookeeper
            """);

    assertThat(e.faults())
        .extracting(Fault::line)
        .containsExactly(1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19);
    assertThat(e)
        .hasMessageStartingWith("17 faults in server.ini")
        .hasMessageContaining("server.ini:3: brokerId=1024: 1024 is out of range; 0 to 1023")
        .hasMessageContaining(
            "server.ini:4: unknown key 'numPartition' in [system]; did you mean numPartitions")
        .hasMessageContaining(
            "server.ini:9: 'zk.zkRoot' does not belong in [system]; put it in [zookeeper]")
        .hasMessageContaining("server.ini:15: 'orders' is declared twice; line 12 has it too");
  }

  @Test
  void aMissingFileStopsTheStart() {
    assertThatThrownBy(() -> ServerIni.load(folder.resolve("absent.ini")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("there is no such file");
  }

  @Test
  void aFileThatIsNoTextStopsTheStart() throws Exception {
    Path file = Files.write(folder.resolve("server.ini"), new byte[] {'[', (byte) 0xff, ']'});

    assertThatThrownBy(() -> ServerIni.load(file)).hasMessageContaining("it is not UTF-8 text");
  }

  @Test
  void anAddressBeyondLoopbackNeedsAUser() throws Exception {
    String text = "[system]\nbindAddress=0.0.0.0\n";
    assertThat(faultsOf(text))
        .hasMessageContaining("server.ini:2: bindAddress: 0.0.0.0 is reachable");

    UserStore.load(folder.resolve("users"))
        .with("alice", "secret".toCharArray())
        .save(folder.resolve("users"));
    assertThat(parse(text).bindAddress()).isEqualTo("0.0.0.0");
  }

  @Test
  void aUsersFileThatWasNamedMustExistAndBeOurs() throws Exception {
    assertThat(faultsOf("[system]\nusersFile=people\n")).hasMessageContaining("does not exist");

    Files.writeString(folder.resolve("people"), "alice:plaintext\n");
    assertThat(faultsOf("[system]\nusersFile=people\n"))
        .hasMessageContaining("people:1 is no user");
  }

  @Test
  void valuesGivenBesideTheFileOverruleItAndAreCheckedLikeIt() throws Exception {
    String text = "[system]\nserverPort=9000\n";

    BrokerConfig config =
        ServerIni.parse(text, folder, Map.of("serverPort", "0", "zk.server.port", "0"));
    assertThat(config.serverPort()).isZero();
    assertThat(config.zookeeper().localPort()).isZero();
    assertThatThrownBy(() -> ServerIni.parse(text, folder, Map.of("serverPort", "-1", "port", "1")))
        .hasMessageContaining("serverPort=-1")
        .hasMessageContaining("unknown key 'port' given beside the file");
  }

  @Test
  void relativePathsStartAtTheFolderOfTheFile() throws Exception {
    BrokerConfig config = parse("[system]\ndataPath=../data\n");

    Path data = folder.resolveSibling("data").toAbsolutePath();
    assertThat(config.dataPath()).isEqualTo(data);
    assertThat(config.journal().path()).isEqualTo(data);
    assertThat(config.zookeeper().localDirectory()).isEqualTo(data.resolve("zookeeper"));
  }

  @Test
  void anotherDataFolderTakesEverythingAlongThatStoodInTheFormer() throws Exception {
    Path moved = folder.resolve("moved");
    BrokerConfig config = parse("[system]\ndataLogPath=/log\n[queue=q]\n").withDataPath(moved);

    assertThat(config.dataPath()).isEqualTo(moved);
    assertThat(config.declared(Kind.QUEUE, "q").orElseThrow().dataPath()).isEqualTo(moved);
    assertThat(config.zookeeper().localDirectory()).isEqualTo(moved.resolve("zookeeper"));
    assertThat(config.journal().path()).isEqualTo(Path.of("/log"));
  }

  @Test
  void theShippedFileSaysWhatTheDefaultsSay() throws Exception {
    Path shipped = Path.of("src/main/dist/conf/server.ini").toAbsolutePath();

    assertThat(ServerIni.load(shipped)).isEqualTo(ServerIni.parse("", shipped.getParent()));
  }
}
