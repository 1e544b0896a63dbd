package io.metaq.tck.facilities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

/** Section 11.3: sessions in distributed transactions. */
@Conformance
class XaTest {

  private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

  private record Branch(int getFormatId, byte[] global, byte[] branch) implements Xid {
    static Branch fresh() {
      byte[] id = ByteBuffer.allocate(8).putLong(NEXT.incrementAndGet()).array();
      return new Branch(4711, id, new byte[] {1});
    }

    @Override
    public int getFormatId() {
      return getFormatId;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return global.clone();
    }

    @Override
    public byte[] getBranchQualifier() {
      return branch.clone();
    }
  }

  @Test
  @Assertion(
      section = "11.3.5",
      text = "Two-phase commit: sends and receipts of a branch take effect at commit")
  void twoPhases(Jms jms) throws Exception {
    Queue in = jms.queue();
    Queue out = jms.queue();
    jms.send(in, "m");
    XAConnection connection = jms.xaConnection();
    connection.start();
    XASession session = connection.createXASession();
    XAResource resource = session.getXAResource();
    Xid xid = Branch.fresh();
    resource.start(xid, XAResource.TMNOFLAGS);
    session.createProducer(out).send(Jms.receive(session.createConsumer(in)));
    resource.end(xid, XAResource.TMSUCCESS);
    assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
    assertThat(jms.drain(out)).isEmpty();
    resource.commit(xid, false);
    assertThat(jms.drain(out)).containsExactly("m");
    connection.close();
    assertThat(jms.drain(in)).isEmpty();
  }

  @Test
  @Assertion(section = "11.3.5", text = "One-phase commit takes effect at once")
  void onePhase(Jms jms) throws Exception {
    Queue out = jms.queue();
    XASession session = jms.xaConnection().createXASession();
    XAResource resource = session.getXAResource();
    Xid xid = Branch.fresh();
    resource.start(xid, XAResource.TMNOFLAGS);
    session.createProducer(out).send(session.createTextMessage("m"));
    resource.end(xid, XAResource.TMSUCCESS);
    resource.commit(xid, true);
    assertThat(jms.drain(out)).containsExactly("m");
  }

  @Test
  @Assertion(section = "11.3.5", text = "Rollback before and after prepare undoes a branch")
  void rollback(Jms jms) throws Exception {
    for (boolean prepared : new boolean[] {true, false}) {
      Queue in = jms.queue();
      Queue out = jms.queue();
      jms.send(in, "m");
      XAConnection connection = jms.xaConnection();
      connection.start();
      XASession session = connection.createXASession();
      XAResource resource = session.getXAResource();
      Xid xid = Branch.fresh();
      resource.start(xid, XAResource.TMNOFLAGS);
      MessageConsumer consumer = session.createConsumer(in);
      session.createProducer(out).send(Jms.receive(consumer));
      resource.end(xid, XAResource.TMSUCCESS);
      if (prepared) {
        resource.prepare(xid);
      }
      resource.rollback(xid);
      assertThat(jms.drain(out)).isEmpty();
      connection.close();
      assertThat(Jms.receive(jms.session().createConsumer(in)).getJMSRedelivered()).isTrue();
    }
  }

  @Test
  @Assertion(
      section = "11.3.5",
      text =
          "A prepared branch survives its connection and a restart; recover finds it, byte for byte")
  @KnownDeviation(
      provider = "artemis",
      why =
          "the message of a branch prepared before a restart does not come to a queue made on use")
  void recovery(Jms jms) throws Exception {
    Queue out = jms.queue();
    XAConnection connection = jms.xaConnection();
    XASession session = connection.createXASession();
    Branch xid = Branch.fresh();
    session.getXAResource().start(xid, XAResource.TMNOFLAGS);
    session.createProducer(out).send(session.createTextMessage("m"));
    session.getXAResource().end(xid, XAResource.TMSUCCESS);
    session.getXAResource().prepare(xid);
    connection.close();
    jms.broker().restart();
    XAResource resource = jms.xaConnection().createXASession().getXAResource();
    Xid found = null;
    for (Xid candidate : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
      if (candidate.getFormatId() == xid.getFormatId()
          && java.util.Arrays.equals(candidate.getGlobalTransactionId(), xid.global())
          && java.util.Arrays.equals(candidate.getBranchQualifier(), xid.branch())) {
        found = candidate;
      }
    }
    assertThat(found).isNotNull();
    resource.commit(found, false);
    assertThat(Jms.receiveText(jms.session().createConsumer(out))).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "commit, rollback and recover of an XASession are refused; it is transacted")
  void localCallsAreRefused(Jms jms) throws Exception {
    XASession session = jms.xaConnection().createXASession();
    assertThat(session.getTransacted()).isTrue();
    Xid xid = Branch.fresh();
    session.getXAResource().start(xid, XAResource.TMNOFLAGS);
    assertThrows(TransactionInProgressException.class, session::commit);
    assertThrows(TransactionInProgressException.class, session::rollback);
    session.getXAResource().end(xid, XAResource.TMSUCCESS);
    session.getXAResource().rollback(xid);
    XASession outside = jms.xaConnection().createXASession();
    assertThrows(TransactionInProgressException.class, outside::commit);
    assertThrows(TransactionInProgressException.class, outside::rollback);
    assertThrows(IllegalStateException.class, outside::recover);
  }

  @Test
  @Assertion(
      section = "11.3.2",
      text = "XAConnection.createSession makes a plain session of the mode asked for")
  void plainSessions(Jms jms) throws JMSException {
    XAConnection connection = jms.xaConnection();
    connection.start();
    Session plain = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    assertThat(plain.getTransacted()).isFalse();
    assertThat(plain.getAcknowledgeMode()).isEqualTo(Session.CLIENT_ACKNOWLEDGE);
    Queue queue = jms.queue();
    plain.createProducer(queue).send(plain.createTextMessage("m"));
    assertThat(jms.drain(queue)).containsExactly("m");
    assertThat(connection.createSession(true, 0).getTransacted()).isTrue();
  }

  @Test
  @Assertion(section = "11.3.4", text = "An XAJMSContext works in a branch")
  void xaContext(Jms jms) throws Exception {
    Queue out = jms.queue();
    XAJMSContext context =
        jms.closing(
            jms.broker()
                .xaConnectionFactory(io.metaq.tck.harness.ClientOptions.plain())
                .createXAContext());
    XAResource resource = context.getXAResource();
    Xid xid = Branch.fresh();
    resource.start(xid, XAResource.TMNOFLAGS);
    context.createProducer().send(out, "m");
    resource.end(xid, XAResource.TMSUCCESS);
    resource.commit(xid, true);
    assertThat(jms.drain(out)).containsExactly("m");
    assertThat(context.getContext()).isNotNull();
    assertThat(context.getTransacted()).isTrue();
  }

  @Test
  @Assertion(
      section = "11.3.5",
      text = "Unknown branches are XAER_NOTA, known ones cannot be started again")
  @KnownDeviation(provider = "artemis", why = "knows no XAER_DUPID for an ended branch")
  void errorCodes(Jms jms) throws Exception {
    XASession session = jms.xaConnection().createXASession();
    XAResource resource = session.getXAResource();
    Xid unknown = Branch.fresh();
    assertThat(assertThrows(XAException.class, () -> resource.commit(unknown, false)).errorCode)
        .isEqualTo(XAException.XAER_NOTA);
    assertThat(assertThrows(XAException.class, () -> resource.prepare(unknown)).errorCode)
        .isEqualTo(XAException.XAER_NOTA);
    assertThat(assertThrows(XAException.class, () -> resource.rollback(unknown)).errorCode)
        .isEqualTo(XAException.XAER_NOTA);
    Xid xid = Branch.fresh();
    resource.start(xid, XAResource.TMNOFLAGS);
    resource.end(xid, XAResource.TMSUCCESS);
    assertThat(
            assertThrows(XAException.class, () -> resource.start(xid, XAResource.TMNOFLAGS))
                .errorCode)
        .isEqualTo(XAException.XAER_DUPID);
    resource.rollback(xid);
  }

  @Test
  @Assertion(
      section = "11.3.5",
      text = "isSameRM is true for resources of one broker, false for another resource manager")
  void sameResourceManager(Jms jms) throws Exception {
    XAResource one = jms.xaConnection().createXASession().getXAResource();
    XAResource two = jms.xaConnection().createXASession().getXAResource();
    assertThat(one.isSameRM(two)).isTrue();
    assertThat(two.isSameRM(one)).isTrue();
    assertThat(one.isSameRM(one)).isTrue();
  }
}
