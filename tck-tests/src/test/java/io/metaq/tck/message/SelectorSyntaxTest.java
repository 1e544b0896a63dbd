package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.8.1.1: a selector that is wrong by its text is refused where it is presented. */
@Conformance
class SelectorSyntaxTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a =",
        "= 1",
        "a = 1 AND",
        "AND a = 1",
        "a = 1 b = 2",
        "(a = 1",
        "a = 1)",
        "a = 'unterminated",
        "a = \"double\"",
        "a == 1",
        "a != 1",
        "a => 1",
        "a = 1 OR OR b = 1",
        "a BETWEEN 1",
        "a BETWEEN 1 AND",
        "a BETWEEN 1 OR 2",
        "a IN ()",
        "a IN 'x'",
        "a IN ('x',)",
        "a IN ('x' 'y')",
        "a LIKE",
        "a LIKE b",
        "a LIKE 'x' ESCAPE",
        "a LIKE 'x' ESCAPE 'ab'",
        "a LIKE 'x' ESCAPE ''",
        "a IS",
        "a IS NOT",
        "a IS 1",
        "a NOT = 1",
        "NOT",
        "a = 1a",
        "a.b = 1",
        "a-b-",
        "a = 1 /* comment */",
        "1a = 1",
        "a = #",
        "a = 1;"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "A syntactically wrong selector is an InvalidSelectorException")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*(\"double\"|comment).*",
      why = "takes double quotes and comments")
  void wrongSyntax(String selector, Jms jms) throws JMSException {
    assertRefused(selector, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NULL = 1",
        "TRUE > 1",
        "a = NULL",
        "NOT = 1",
        "AND = 1",
        "OR = 1",
        "BETWEEN = 1",
        "LIKE = 1",
        "IN = 1",
        "IS = 1",
        "ESCAPE = 1",
        "between = 1"
      })
  @Assertion(section = "3.8.1.1", text = "A word of the language is no identifier")
  void reservedWords(String selector, Jms jms) throws JMSException {
    assertRefused(selector, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a > 'x'",
        "'x' < a",
        "a >= TRUE",
        "a BETWEEN 'a' AND 'b'",
        "a IN (1, 2)",
        "a IN (TRUE)",
        "a LIKE 1",
        "a LIKE TRUE",
        "TRUE = 0",
        "'x' + 1 = 2",
        "1",
        "'a'",
        "a + 1",
        "NOT 1",
        "1 AND a",
        "1 IN ('a')",
        "'a' LIKE 'a'"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "What is ill-typed by its text is an InvalidSelectorException")
  @KnownDeviation(
      provider = "artemis",
      cases = "\\[(10|17)\\].*",
      why = "checks these types only when it evaluates (the specification leaves it open)")
  void illTyped(String selector, Jms jms) throws JMSException {
    assertRefused(selector, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JMSDestination",
        "JMSReplyTo",
        "JMSRedelivered",
        "JMSExpiration",
        "JMSDeliveryTime"
      })
  @Assertion(section = "3.8.1.1", text = "No other header than the six can be referred to")
  @KnownDeviation(provider = "artemis", why = "takes them for properties or for headers")
  void otherHeaders(String header, Jms jms) throws JMSException {
    assertRefused(header + " IS NOT NULL", jms);
  }

  @Test
  @Assertion(section = "10.3", text = "Every method that takes a selector refuses a wrong one")
  void everyMethodRefuses(Jms jms) throws JMSException {
    String wrong = "a =";
    Queue queue = jms.queue();
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    refused(() -> session.createConsumer(queue, wrong));
    refused(() -> session.createConsumer(topic, wrong, true));
    refused(() -> session.createBrowser(queue, wrong).getEnumeration());
    refused(() -> session.createDurableConsumer(topic, jms.name("s"), wrong, false));
    refused(() -> session.createDurableSubscriber(topic, jms.name("s"), wrong, false));
    refused(() -> session.createSharedConsumer(topic, jms.name("s"), wrong));
    refused(() -> session.createSharedDurableConsumer(topic, jms.name("s"), wrong));
    QueueSession queues = jms.queueSession();
    refused(() -> queues.createReceiver(queue, wrong));
    TopicSession topics = jms.topicSession();
    refused(() -> topics.createSubscriber(topic, wrong, false));
  }

  @Test
  @Assertion(section = "10.3", text = "The simplified API throws InvalidSelectorRuntimeException")
  void everyMethodOfAContextRefuses(Jms jms) throws JMSException {
    String wrong = "a =";
    Queue queue = jms.queue();
    Topic topic = jms.topic();
    JMSContext context = jms.context();
    context.setClientID(jms.name("client"));
    refusedAtRunTime(() -> context.createConsumer(queue, wrong));
    refusedAtRunTime(() -> context.createConsumer(topic, wrong, true));
    refusedAtRunTime(() -> context.createDurableConsumer(topic, jms.name("s"), wrong, false));
    refusedAtRunTime(() -> context.createSharedConsumer(topic, jms.name("s"), wrong));
    refusedAtRunTime(() -> context.createSharedDurableConsumer(topic, jms.name("s"), wrong));
  }

  @Test
  @Assertion(section = "3.8.1.1", text = "After a refused selector the session works on")
  void theSessionGoesOn(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    refused(() -> session.createConsumer(queue, "a ="));
    jms.send(queue, "m");
    assertThat(Jms.receiveText(session.createConsumer(queue))).isEqualTo("m");
  }

  private static void assertRefused(String selector, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    assertThrows(
        InvalidSelectorException.class,
        () -> session.createConsumer(queue, selector),
        () -> selector);
  }

  private static void refused(org.junit.jupiter.api.function.Executable call) {
    assertThat(assertThrows(InvalidSelectorException.class, call)).hasMessageMatching("(?s).+");
  }

  private static void refusedAtRunTime(org.junit.jupiter.api.function.Executable call) {
    assertThrows(InvalidSelectorRuntimeException.class, call);
  }
}
