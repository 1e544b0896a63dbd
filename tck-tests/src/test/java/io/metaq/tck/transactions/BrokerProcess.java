package io.metaq.tck.transactions;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.wire.Frame;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * The broker of the kill tests: a process of its own whose front door knows failpoints, {@code
 * broker.prepare.before} (the request is here), {@code broker.prepare.during} (under way, perhaps
 * forced) and {@code broker.prepare.after} (durable, the reply is not out), and the same for
 * commit.
 *
 * <p>Arguments: {@code <data directory> <port> <failpoint> <seed>}.
 */
public final class BrokerProcess {
  private BrokerProcess() {}

  public static void main(String[] arguments) throws Exception {
    Failpoint failpoint = Failpoint.parse(arguments[2], 0);
    Random random = new Random(Long.parseLong(arguments[3]));
    EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(Path.of(arguments[0])).start();
    new FrameProxy(Integer.parseInt(arguments[1]), broker.port(), new Door(failpoint, random));
    System.out.println("READY");
    new CountDownLatch(1).await();
  }

  private static final class Door implements FrameProxy.Observer {
    private final Failpoint failpoint;
    private final Random random;

    Door(Failpoint failpoint, Random random) {
      this.failpoint = failpoint;
      this.random = random;
    }

    @Override
    public void request(Frame request) {
      String verb = verb(request);
      if (verb != null) {
        failpoint.reached("broker." + verb + ".before");
        long nanos = random.nextInt(3_000_000);
        Thread killer =
            new Thread(
                () -> {
                  LockSupport.parkNanos(nanos);
                  failpoint.reached("broker." + verb + ".during");
                },
                "killer");
        killer.setDaemon(true);
        killer.start();
      }
    }

    @Override
    public void reply(Frame request) {
      String verb = verb(request);
      if (verb != null) {
        failpoint.reached("broker." + verb + ".after");
      }
    }

    private static String verb(Frame request) {
      if (!(request instanceof XaComplete call)) {
        return null;
      }
      return call.verb() == XaVerb.PREPARE
          ? "prepare"
          : call.verb() == XaVerb.COMMIT || call.verb() == XaVerb.COMMIT_ONE_PHASE
              ? "commit"
              : null;
    }
  }
}
