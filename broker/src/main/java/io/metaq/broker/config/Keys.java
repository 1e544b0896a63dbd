package io.metaq.broker.config;

import io.metaq.broker.config.Key.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of {@code server.ini}, in the order of the manual. A name that is not here is a fault.
 */
final class Keys {

  /** Keys with this prefix name a server-side filter: {@code group.<consumerGroup>=<class>}. */
  static final String FILTER_PREFIX = "group.";

  private static final Set<Place> SYSTEM = EnumSet.of(Place.SYSTEM);
  private static final Set<Place> ZOOKEEPER = EnumSet.of(Place.ZOOKEEPER);
  private static final Set<Place> DESTINATION = EnumSet.of(Place.SYSTEM, Place.TOPIC, Place.QUEUE);

  private static final int INT = Integer.MAX_VALUE;
  private static final long YEAR_MS = Duration.ofDays(365).toMillis();
  private static final long DAY_MS = Duration.ofDays(1).toMillis();
  private static final long GIB = 1L << 30;
  private static final String IGNORED = "Accepted for MetaQ's files; has no effect here.";

  // The broker itself.
  static final Key<Integer> BROKER_ID =
      Key.integer(
          "brokerId",
          SYSTEM,
          "number",
          "0",
          0,
          1023,
          "Unique among the brokers of a cluster; part of every message id.");
  static final Key<Optional<String>> HOST_NAME =
      Key.optionalText(
          "hostName",
          SYSTEM,
          "host",
          "",
          "Published to clients. Empty: the first IPv4 address that is not loopback.");
  static final Key<String> BIND_ADDRESS =
      Key.text(
          "bindAddress",
          SYSTEM,
          "address",
          "127.0.0.1",
          "Address listened on. Beyond loopback the start is refused until a user exists.");
  static final Key<Integer> SERVER_PORT =
      Key.integer(
          "serverPort",
          SYSTEM,
          "port",
          "8123",
          0,
          65535,
          "Port of all protocols. 0: any free one.");
  static final Key<Integer> DASHBOARD_HTTP_PORT =
      Key.integer(
          "dashboardHttpPort",
          SYSTEM,
          "port",
          "8120",
          0,
          65535,
          "Port of the console, which there is not yet. 0: any free one.");
  static final Key<Path> DATA_PATH =
      Key.path(
          "dataPath",
          DESTINATION,
          "~/meta",
          "Folder of what the broker stores; in a destination's section, of its partition logs.");
  static final Key<Optional<Path>> DATA_LOG_PATH =
      Key.optionalPath(
          "dataLogPath",
          SYSTEM,
          "",
          "Folder of the journal and its snapshots, which always stand under `dataPath` so far. Empty: as `dataPath`.");
  static final Key<Path> USERS_FILE =
      Key.path(
          "usersFile",
          SYSTEM,
          "users",
          "Users and their password hashes, kept by `bin/metaq user`. Without a user in it, loopback clients need no login.");
  static final Key<Optional<String>> LINE_PROTOCOL_USER =
      Key.optionalText(
          "lineProtocolUser",
          SYSTEM,
          "user",
          "",
          "User as whom line-protocol clients act beyond loopback, since that protocol knows no login. Empty: they are turned away.");
  static final Key<Boolean> AUTO_CREATE =
      Key.bool(
          "autoCreate",
          SYSTEM,
          "true",
          "Whether a destination comes into being on first use. `false`: only declared ones exist.");
  static final Key<Path> APP_CLASS_PATH =
      Key.path(
          "appClassPath",
          SYSTEM,
          "../provided",
          "Folder of the filters for MetaQ clients, which are not served yet; a JMS consumer has its selector.");

  // Storage.
  static final Key<Integer> MAX_SEGMENT_SIZE =
      Key.integer(
          "maxSegmentSize",
          SYSTEM,
          "bytes",
          "64 * 1024 * 1024",
          4096,
          INT,
          "Size at which a partition log starts another segment.");
  static final Key<Integer> MAX_TRANSFER_SIZE =
      Key.integer(
          "maxTransferSize",
          SYSTEM,
          "bytes",
          "1024 * 1024",
          1024,
          64 << 20,
          "Most that one fetch of a MetaQ client is answered with. JMS consumers grant credit instead.");
  static final Key<Integer> JOURNAL_FILE_SIZE =
      Key.integer(
          "journalFileSize",
          SYSTEM,
          "bytes",
          "64 * 1024 * 1024",
          8 << 20,
          1 << 30,
          "Size of one preallocated journal file. A transaction's part that is kept in memory may take half of one.");
  static final Key<Boolean> RECOVERY_MODE =
      Key.choice(
          "recoveryMode",
          SYSTEM,
          "strict",
          "What a start does about a damaged journal. `strict`: it stops and says what is damaged. `quarantine`: it keeps what stands before the damage, moves the rest to the folder `quarantine`, and reports what is missing.",
          "quarantine"::equals,
          "strict",
          "quarantine");
  static final Key<Integer> FLUSH_TX_LOG_AT_COMMIT =
      Key.integer(
          "flushTxLogAtCommit",
          SYSTEM,
          "number",
          "1",
          0,
          2,
          "Force of a commit in MetaQ's log of transactions: 0 left to the system, 1 before each answer, 2 every second. Here transactions stand in the journal, and every prepare and commit is answered behind a force, as with 1.");
  static final Key<Boolean> INLINE_FORCE =
      Key.bool(
          "inlineForce",
          SYSTEM,
          "true",
          "Whether an idle broker forces on its event loop. `false`: always on the journal thread, for slow disks.");
  static final Key<Integer> MAX_CHECKPOINTS =
      Key.integer(
          "maxCheckpoints",
          SYSTEM,
          "number",
          "3",
          1,
          100,
          "Checkpoints that MetaQ keeps of its transactions. Here the last two snapshots are kept.");
  static final Key<Duration> CHECKPOINT_INTERVAL =
      Key.millis(
          "checkpointInterval",
          SYSTEM,
          "3600000",
          1000,
          DAY_MS,
          "Longest time between two snapshots.");
  static final Key<Duration> MAX_TX_TIMEOUT =
      Key.whole(
          "maxTxTimeoutInSeconds",
          SYSTEM,
          "s",
          "60",
          1,
          86400,
          "Longest timeout of a transaction over MetaQ's line protocol; one that asks for more gets this. That protocol has no transactions here yet, so there is none to shorten; JMS and XA transactions may ask for a day.",
          Duration::ofSeconds);
  static final Key<Boolean> UPDATE_CONSUMER_OFFSETS =
      Key.bool(
          "updateConsumerOffsets",
          SYSTEM,
          "false",
          "Whether a MetaQ client's fetch beyond the end of a partition is sent back to its end, skipping what is lost. Here the broker keeps where JMS subscriptions stand.");

  // Destinations.
  static final Key<Integer> NUM_PARTITIONS =
      Key.integer(
          "numPartitions",
          DESTINATION,
          "number",
          "1",
          1,
          1024,
          "Partitions of a declared destination on this broker.");
  static final Key<Integer> UNFLUSH_THRESHOLD =
      Key.integer(
          "unflushThreshold",
          DESTINATION,
          "messages",
          "0",
          -1,
          INT,
          "0 or less: each receipt waits for a force. Else only that of every so many-th message does, and a force follows within 10 ms in any case.");
  static final Key<Duration> UNFLUSH_INTERVAL =
      Key.millis(
          "unflushInterval",
          DESTINATION,
          "10000",
          10,
          DAY_MS,
          "Longest time without a force when receipts do not wait: what a power cut can cost. The journal forces within 10 ms in any case.");
  static final Key<Boolean> ACCEPT_PUBLISH =
      Key.bool(
          "acceptPublish",
          DESTINATION,
          "true",
          "Whether producers find the destination on this broker. `false`: sends to it are refused, but for what the broker itself puts there.");
  static final Key<Boolean> ACCEPT_SUBSCRIBE =
      Key.bool(
          "acceptSubscribe",
          DESTINATION,
          "true",
          "Whether consumers find the destination on this broker. `false`: consumers and browsers are refused; a pattern passes it over; durable subscriptions that exist go on collecting.");
  static final Key<Boolean> STAT =
      Key.bool(
          "stat",
          DESTINATION,
          "true",
          "Whether real-time statistics of MetaQ's puts and gets are kept. The figures of `stats` are always there.");
  static final Key<DeletePolicy> DELETE_POLICY =
      new Key<>(
          "deletePolicy",
          DESTINATION,
          "policy",
          "delete,168",
          "`delete,N` or `archive,N[,true]`; N ends in s, m or h (the default)",
          "What becomes of a segment of a declared topic so long after the next one was begun. `delete`: it goes. `archive`: it stays where it is, for good. What a subscription still needs always stays; what is consumed of queues, and of topics that are not declared, goes at once.",
          (text, folder) -> DeletePolicy.parse(text));
  static final Key<String> DELETE_WHEN =
      Key.cron(
          "deleteWhen",
          DESTINATION,
          "0 0 6,18 * * ?",
          "When old segments are looked for, in the time zone of the system. A time that passes while the broker is down is not made up for.");
  static final Key<Long> MAX_MESSAGES =
      Key.limit(
          "maxMessages",
          DESTINATION,
          "messages",
          "-1",
          Long.MAX_VALUE,
          "Unacknowledged messages a destination may hold.");
  static final Key<Long> MAX_BYTES =
      Key.limit(
          "maxBytes",
          DESTINATION,
          "bytes",
          "-1",
          Long.MAX_VALUE,
          "Bytes of unacknowledged messages a destination may hold.");
  static final Key<Long> MAX_MESSAGE_SIZE =
      Key.whole(
          "maxMessageSize",
          DESTINATION,
          "bytes",
          "1024 * 1024 * 1024",
          1,
          GIB,
          "Largest message body; a larger one is refused.",
          Long::valueOf);
  static final Key<Long> NON_PERSISTENT_MAX_BYTES =
      Key.whole(
          "nonPersistentMaxBytes",
          DESTINATION,
          "bytes",
          "64 * 1024 * 1024",
          1,
          Long.MAX_VALUE,
          "Memory for the non-persistent messages of a destination.",
          Long::valueOf);
  static final Key<LimitPolicy> LIMIT_POLICY =
      Key.choice(
          "limitPolicy",
          DESTINATION,
          "block",
          "What a send meets at a limit: it waits, for at most 30 seconds, it fails, or the oldest"
              + " message goes. What a transaction sends counts from its commit.",
          Keys::limitPolicy,
          "block",
          "fail",
          "dropOldest");
  static final Key<Duration> REDELIVERY_DELAY =
      Key.millis(
          "redeliveryDelay",
          DESTINATION,
          "0",
          0,
          YEAR_MS,
          "Wait before the first redelivery. 0: at once.");
  static final Key<Double> REDELIVERY_MULTIPLIER =
      Key.decimal(
          "redeliveryMultiplier",
          DESTINATION,
          "1",
          1,
          100,
          "Factor from one redelivery delay to the next.");
  static final Key<Duration> MAX_REDELIVERY_DELAY =
      Key.millis(
          "maxRedeliveryDelay",
          DESTINATION,
          "3600000",
          0,
          YEAR_MS,
          "What no redelivery delay exceeds.");
  static final Key<Double> REDELIVERY_JITTER =
      Key.decimal(
          "redeliveryJitter",
          DESTINATION,
          "0",
          0,
          1,
          "Share by which a redelivery delay varies at random.");
  static final Key<Integer> MAX_DELIVERIES =
      Key.integer(
          "maxDeliveries",
          DESTINATION,
          "deliveries",
          "20",
          -1,
          INT,
          "Deliveries, the first included, after which an unacknowledged message is dead. 1: no second try. 0 or -1: no limit.");
  static final Key<Optional<String>> DEAD_LETTER_QUEUE =
      Key.optionalText(
          "deadLetterQueue",
          DESTINATION,
          "queue",
          "DLQ",
          "Where dead messages go. Empty: they are discarded and counted.");
  static final Key<Optional<String>> EXPIRY_QUEUE =
      Key.optionalText(
          "expiryQueue",
          DESTINATION,
          "queue",
          "",
          "Where expired messages go. Empty: they are discarded and counted.");

  // ZooKeeper.
  static final Key<Boolean> ZK_ENABLE =
      Key.bool("zk.zkEnable", ZOOKEEPER, "true", "Whether the broker registers in ZooKeeper.");
  static final Key<String> ZK_CONNECT =
      Key.text(
          "zk.zkConnect", ZOOKEEPER, "host:port,...", "localhost:2181", "The ZooKeeper servers.");
  static final Key<Duration> ZK_SESSION_TIMEOUT =
      Key.millis(
          "zk.zkSessionTimeoutMs",
          ZOOKEEPER,
          "30000",
          1000,
          DAY_MS,
          "Silence after which ZooKeeper declares the broker gone.");
  static final Key<Duration> ZK_CONNECTION_TIMEOUT =
      Key.millis(
          "zk.zkConnectionTimeoutMs",
          ZOOKEEPER,
          "30000",
          100,
          DAY_MS,
          "Wait for the first connection.");
  static final Key<Duration> ZK_SYNC_TIME =
      Key.millis(
          "zk.zkSyncTimeMs",
          ZOOKEEPER,
          "5000",
          0,
          DAY_MS,
          "Pause between leaving ZooKeeper and the shutdown.");
  static final Key<String> ZK_ROOT =
      Key.text("zk.zkRoot", ZOOKEEPER, "node", "/meta", "Node under which everything stands.");
  static final Key<Integer> ZK_SERVER_PORT =
      Key.integer(
          "zk.server.port",
          ZOOKEEPER,
          "port",
          "2181",
          0,
          65535,
          "Port of the in-process ZooKeeper of `start local`. 0: any free one.");
  static final Key<Optional<Path>> ZK_SERVER_DIRECTORY =
      Key.optionalPath(
          "zk.server.snapDirectory",
          ZOOKEEPER,
          "",
          "Data of the in-process ZooKeeper. Empty: `zookeeper` under `dataPath`.");

  /** Every key, in the order of the manual. */
  static final List<Key<?>> ALL =
      List.of(
          BROKER_ID,
          HOST_NAME,
          BIND_ADDRESS,
          SERVER_PORT,
          DASHBOARD_HTTP_PORT,
          DATA_PATH,
          DATA_LOG_PATH,
          USERS_FILE,
          LINE_PROTOCOL_USER,
          AUTO_CREATE,
          APP_CLASS_PATH,
          MAX_SEGMENT_SIZE,
          MAX_TRANSFER_SIZE,
          JOURNAL_FILE_SIZE,
          RECOVERY_MODE,
          FLUSH_TX_LOG_AT_COMMIT,
          INLINE_FORCE,
          MAX_CHECKPOINTS,
          CHECKPOINT_INTERVAL,
          MAX_TX_TIMEOUT,
          UPDATE_CONSUMER_OFFSETS,
          NUM_PARTITIONS,
          UNFLUSH_THRESHOLD,
          UNFLUSH_INTERVAL,
          ACCEPT_PUBLISH,
          ACCEPT_SUBSCRIBE,
          STAT,
          DELETE_POLICY,
          DELETE_WHEN,
          MAX_MESSAGES,
          MAX_BYTES,
          MAX_MESSAGE_SIZE,
          NON_PERSISTENT_MAX_BYTES,
          LIMIT_POLICY,
          REDELIVERY_DELAY,
          REDELIVERY_MULTIPLIER,
          MAX_REDELIVERY_DELAY,
          REDELIVERY_JITTER,
          MAX_DELIVERIES,
          DEAD_LETTER_QUEUE,
          EXPIRY_QUEUE,
          ZK_ENABLE,
          ZK_CONNECT,
          ZK_SESSION_TIMEOUT,
          ZK_CONNECTION_TIMEOUT,
          ZK_SYNC_TIME,
          ZK_ROOT,
          ZK_SERVER_PORT,
          ZK_SERVER_DIRECTORY,
          ignored("getProcessThreadCount", 1, 10000, "10"),
          ignored("putProcessThreadCount", 1, 10000, "10"),
          ignored("quartzThreadCount", 1, 10000, "5"),
          ignored("maxTxTimeoutTimerCapacity", 1, INT, "30000"),
          Key.bool("loadMessageStoresInParallel", SYSTEM, "false", IGNORED));

  /** Read and checked, so that files keep working, but nothing heeds them yet. */
  static final List<Key<?>> NOT_YET =
      List.of(
          DATA_LOG_PATH,
          DASHBOARD_HTTP_PORT,
          APP_CLASS_PATH,
          MAX_TRANSFER_SIZE,
          FLUSH_TX_LOG_AT_COMMIT,
          MAX_CHECKPOINTS,
          MAX_TX_TIMEOUT,
          UPDATE_CONSUMER_OFFSETS,
          STAT);

  private Keys() {}

  /** The keys that may stand in a section of the given kind. */
  static List<Key<?>> of(Place place) {
    return ALL.stream().filter(key -> key.places().contains(place)).toList();
  }

  private static Key<Integer> ignored(String name, int min, int max, String standard) {
    return Key.integer(name, SYSTEM, "number", standard, min, max, IGNORED);
  }

  private static LimitPolicy limitPolicy(String word) {
    return word.equals("dropOldest")
        ? LimitPolicy.DROP_OLDEST
        : LimitPolicy.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
