package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes, really killed: Narayana and Derby in one, the broker in another. Tokens move
 * between a table and two queues; after every kill both start again on what is on disk, and at the
 * end every token is in exactly one place and nothing is in doubt. (X2, X4, X5, X10)
 */
class KillTest {
  private static final int TOKENS = 12;
  private static final List<String> MOMENTS =
      List.of(
          "jms.prepare.before",
          "jms.prepare.after",
          "jms.commit.before",
          "jms.commit.after",
          "db.prepare.before",
          "db.prepare.after",
          "db.commit.before",
          "db.commit.after",
          "broker.prepare.before",
          "broker.prepare.during",
          "broker.prepare.after",
          "broker.commit.before",
          "broker.commit.during",
          "broker.commit.after",
          "random");

  @TempDir Path directory;

  @Test
  @Tag("kills")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void twentyKillsLeaveEveryTokenInOnePlace() throws Exception {
    kill(20, 1);
  }

  @Test
  @Tag("slow")
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void twoHundredKillsLeaveEveryTokenInOnePlace() throws Exception {
    kill(200, 2);
  }

  private void kill(int times, long seed) throws Exception {
    Random random = new Random(seed);
    int port = freePort();
    String url = "metaq://127.0.0.1:" + port;
    try (ChildProcess first = broker(port, "none:1:broker", 0)) {
      first.await("READY", 120_000);
      fill(url);
    }
    for (int i = 0; i < times; i++) {
      String moment = MOMENTS.get(i % MOMENTS.size());
      System.out.println("kill " + (i + 1) + " of " + times + ": " + moment);
      round(moment, random, port, url);
    }
    try (ChildProcess last = broker(port, "none:1:broker", 0)) {
      last.await("READY", 120_000);
      try (ChildProcess audit =
          ChildProcess.start(TokenMover.class, "audit", url, directory.resolve("app").toString())) {
        String found = audit.await("FOUND", 120_000);
        assertThat(found)
            .as("after %d kills, seed %d", times, seed)
            .isEqualTo("FOUND " + IntStream.range(0, TOKENS).boxed().toList());
      }
    }
  }

  private void round(String moment, Random random, int port, String url) throws Exception {
    boolean ofBroker = moment.startsWith("broker.");
    int count = 1 + random.nextInt(20);
    String victim = List.of("application", "broker", "both").get(random.nextInt(3));
    // At the broker's own moments it is the broker process that halts, which calls itself the
    // application.
    String there = ofBroker ? moment + ":" + count + ":application" : "none:1:broker";
    try (ChildProcess broker = broker(port, there, random.nextLong())) {
      broker.await("READY", 120_000);
      String here =
          ofBroker || moment.equals("random")
              ? "none:1:broker"
              : moment + ":" + count + ":" + victim;
      try (ChildProcess mover =
          ChildProcess.start(
              TokenMover.class,
              "move",
              url,
              directory.resolve("app").toString(),
              Long.toString(broker.pid()),
              here,
              Long.toString(random.nextLong()))) {
        if (moment.equals("random")) {
          mover.await("MOVING", 120_000);
          mover.ends(500 + random.nextInt(1_000));
          (random.nextBoolean() ? broker : mover).kill();
        } else {
          assertThat(oneEnds(broker, mover, 180_000))
              .as("somebody dies at %s; application: %s", moment, mover.output())
              .isTrue();
        }
        // The survivor runs on for a moment, as in life.
        (broker.isAlive() ? broker : mover).ends(random.nextInt(300));
      }
    }
  }

  private static boolean oneEnds(ChildProcess one, ChildProcess other, long millis)
      throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < deadline) {
      if (one.ends(20) || other.ends(20)) {
        return true;
      }
    }
    return false;
  }

  private ChildProcess broker(int port, String failpoint, long seed) throws IOException {
    return ChildProcess.start(
        BrokerProcess.class,
        directory.resolve("broker").toString(),
        Integer.toString(port),
        failpoint,
        Long.toString(seed));
  }

  private static void fill(String url) throws Exception {
    try (Connection connection = new MetaqConnectionFactory(url).createConnection()) {
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = session.createProducer(session.createQueue("tokens.a"));
      for (int token = 0; token < TOKENS; token++) {
        producer.send(session.createTextMessage(Integer.toString(token)));
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
