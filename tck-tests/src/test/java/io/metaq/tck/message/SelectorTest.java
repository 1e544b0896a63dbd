package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.8.1: which selector matches one well-known message, and which does not. */
@Conformance
class SelectorTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "string = 'literal'",
        "'literal' = string",
        "quoted = 'it''s'",
        "empty = ''",
        "string <> 'other'",
        "unicode = '\u00e4\u20ac\ud83d\ude00'",
        "percent = '100%'",
        "int = 57",
        "int = +57",
        "negative = -957",
        "int = 57L",
        "int = 0x39",
        "int = 0X39",
        "int = 071",
        "long = 9223372036854775807",
        "minLong = -9223372036854775808",
        "zero = 0",
        "double = 7.5",
        "double = 75E-1",
        "double = .75e1",
        "double = 7.5d",
        "double = 7.5f",
        "seven = 7.",
        "sevenThousand = 7E3",
        "sevenThousand = 7.e3",
        "seven = 7",
        "seven = 7D",
        "float = 0.5",
        "bool = TRUE",
        "bool = true",
        "no = FALSE",
        "bool <> no",
        "bool"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "Literals follow the syntax of Java, strings that of SQL; words are case insensitive")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*(7\\.5[df]|7D).*",
      why = "parses only part of the literals of Java")
  void literalsMatch(String selector, Jms jms) throws JMSException {
    assertMatch(selector, true, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int > 56 AND int < 58 AND int >= 57 AND int <= 57 AND int <> 58 AND int = 57",
        "int = 57.0",
        "int > 56.9 AND int < 57.1",
        "byte = 8 AND short = 16 AND long > int",
        "byte < short",
        "float < double",
        "int > double",
        "string = string",
        "NOT string = 'other'",
        "NOT (string = 'other')",
        "not int = 1 And string = 'literal' oR no",
        "bool AND NOT no",
        "no OR bool",
        "NOT no AND bool",
        "bool OR bool AND no",
        "(no OR bool) AND bool",
        "((((bool))))",
        "TRUE",
        "TRUE OR missing = 1",
        "NOT FALSE"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "Comparison and logical operators, their precedence and brackets")
  @KnownDeviation(
      provider = "artemis",
      cases = "(?i).*\\] not (string|int) = .*",
      why = "lets NOT bind tighter than the comparison")
  void operatorsMatch(String selector, Jms jms) throws JMSException {
    assertMatch(selector, true, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int + 3 = 60",
        "int - 7 = 50",
        "int * 2 = 114",
        "int / 2 = 28",
        "int / 2.0 = 28.5",
        "2 + 3 * 4 = 14",
        "(2 + 3) * 4 = 20",
        "10 - 3 - 2 = 5",
        "100 / 10 / 2 = 5",
        "-int = -57",
        "- (int) = -57",
        "+int = 57",
        "int = - -57",
        "2 * -3 = -6",
        "double * 2 = 15",
        "byte + short = 24",
        "1 + 1 = 2 AND 2 - 1 < 2",
        "int > 50 + 6",
        "int + 1 BETWEEN 50 + 7 AND 60 - 1"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "Arithmetic operators, their precedence and Java's numeric promotion")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*int / 2 = 28",
      why = "divides integers as floating point numbers")
  void arithmeticMatches(String selector, Jms jms) throws JMSException {
    assertMatch(selector, true, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int BETWEEN 57 AND 57",
        "int BETWEEN 56.5 AND 58",
        "int NOT BETWEEN 58 AND 60",
        "double BETWEEN 7 AND 8",
        "NOT int BETWEEN 1 AND 2",
        "string IN ('literal')",
        "string IN ('a', 'literal', 'b')",
        "string NOT IN ('a', 'b')",
        "quoted IN ('it''s')",
        "NOT string IN ('a')",
        "string LIKE 'literal'",
        "string LIKE 'lit%'",
        "string LIKE '%ral'",
        "string LIKE '%ter%'",
        "string LIKE 'l_t_r_l'",
        "string LIKE '%'",
        "string LIKE 'l%l'",
        "empty LIKE ''",
        "empty LIKE '%'",
        "string NOT LIKE 'lit'",
        "string NOT LIKE 'LIT%'",
        "percent LIKE '100!%' ESCAPE '!'",
        "percent LIKE '100\\%' ESCAPE '\\'",
        "underscored LIKE '!_foo' ESCAPE '!'",
        "underscored LIKE '\\_%' ESCAPE '\\'",
        "string NOT LIKE '!_%' ESCAPE '!'",
        "dotted LIKE 'a.b*c'",
        "dotted NOT LIKE 'a.b.c'",
        "brackets LIKE '[x]%'",
        "multiline LIKE 'a%b'",
        "multiline LIKE 'a_b'",
        "missing IS NULL",
        "string IS NOT NULL",
        "nullString IS NULL",
        "NOT missing IS NOT NULL"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "BETWEEN, IN, LIKE with ESCAPE, IS NULL and their negations")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*\\] NOT (int BETWEEN|string IN|missing IS).*",
      why = "lets NOT bind tighter than the predicate")
  void predicatesMatch(String selector, Jms jms) throws JMSException {
    assertMatch(selector, true, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "string = 'Literal'",
        "string = 'literal '",
        "String = 'literal'",
        "int <> 57",
        "int > 57",
        "int BETWEEN 58 AND 56",
        "int NOT BETWEEN 57 AND 57",
        "string IN ('a', 'b')",
        "string NOT IN ('literal', 'b')",
        "string LIKE 'litera'",
        "string LIKE 'LITERAL'",
        "string LIKE '_'",
        "string LIKE 'literal_'",
        "underscored LIKE 'x_foo'",
        "percent LIKE '100!%!%' ESCAPE '!'",
        "dotted LIKE 'aXb*c'",
        "string NOT LIKE 'lit%'",
        "string IS NULL",
        "missing IS NOT NULL",
        "nullString IS NOT NULL",
        "no",
        "NOT bool",
        "bool AND no",
        "bool = FALSE",
        "bool = no",
        "FALSE",
        "int / 2 = 28.5"
      })
  @Assertion(section = "3.8.1.1", text = "A selector that evaluates to false does not match")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*int / 2 = 28.5",
      why = "divides integers as floating point numbers")
  void falseSelectorsDoNotMatch(String selector, Jms jms) throws JMSException {
    assertMatch(selector, false, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing = 1",
        "missing <> 1",
        "NOT missing = 1",
        "missing > 1 OR missing <= 1",
        "missing = 'a'",
        "missing = missing",
        "missing IN ('a')",
        "missing NOT IN ('a')",
        "missing LIKE '%'",
        "missing NOT LIKE 'a'",
        "missing BETWEEN 1 AND 2",
        "missing NOT BETWEEN 1 AND 2",
        "missing + 1 = 2",
        "int BETWEEN missing AND 100",
        "missing",
        "NOT missing",
        "missing AND bool",
        "missing AND missing",
        "missing OR no",
        "missing OR missing",
        "NOT (missing AND bool)",
        "NOT (missing OR no)",
        "nullString = 'a'",
        "nullString <> 'a'",
        "JMSCorrelationID = 'a' OR JMSCorrelationID <> 'a'",
        "JMSType LIKE '%'"
      })
  @Assertion(
      section = "3.8.1.2",
      text = "What compares or computes with a null value is unknown and does not match")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*missing = missing",
      why = "takes two nulls for equal")
  void unknownDoesNotMatch(String selector, Jms jms) throws JMSException {
    assertMatch(selector, false, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOT (missing = 1 AND no)",
        "missing = 1 OR bool",
        "bool OR missing = 1",
        "(missing = 1) OR TRUE",
        "NOT (no AND missing = 1)",
        "missing IS NULL AND (missing = 1 OR int = 57)",
        "JMSCorrelationID IS NULL AND JMSType IS NULL"
      })
  @Assertion(
      section = "3.8.1.2",
      text = "Three-valued logic: true OR unknown is true, false AND unknown is false")
  void threeValuedLogic(String selector, Jms jms) throws JMSException {
    assertMatch(selector, true, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "number > 1",
        "number = 2",
        "string = 57",
        "int = '57'",
        "bool = 'true'",
        "bool = 1",
        "string = TRUE",
        "number + 1 = 3",
        "number BETWEEN 1 AND 3"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "Values of unlike type do not compare; a string property is no number")
  void unlikeTypesDoNotMatch(String selector, Jms jms) throws JMSException {
    assertMatch(selector, false, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int LIKE '5%'",
        "int NOT LIKE '6%'",
        "int IN ('57')",
        "int NOT IN ('58')",
        "bool NOT IN ('x')"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "[NOT] IN and [NOT] LIKE on a value that is no string do not match")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*NOT LIKE.*",
      why = "negates instead of yielding unknown")
  void stringPredicatesOnOtherTypes(String selector, Jms jms) throws JMSException {
    assertMatch(selector, false, jms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_under = 1",
        "$dollar = 1",
        "\u00e4rger = 1",
        "JMS_vendor IS NULL",
        "JMSXGroupSeq IS NULL",
        "an_identifier_of_some_length_with_1_digit_and_$ IS NULL",
        "int\t=\n57\r\nAND\fbool"
      })
  @Assertion(
      section = "3.8.1.1",
      text = "Identifiers are Java identifiers; white space is that of Java")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*\u00e4rger = 1",
      why = "its lexer knows ASCII identifiers only")
  void identifiersAndWhiteSpace(String selector, Jms jms) throws JMSException {
    assertMatch(selector, true, jms);
  }

  @Test
  @Assertion(section = "3.8.1.1", text = "The six headers can be referred to")
  void headersCanBeReferredTo(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    Message sent = session.createTextMessage("m");
    sent.setJMSCorrelationID("corr");
    sent.setJMSType("car");
    session.createProducer(queue).send(sent, DeliveryMode.PERSISTENT, 7, 0);
    for (String selector :
        new String[] {
          "JMSCorrelationID = 'corr'",
          "JMSType = 'car'",
          "JMSPriority = 7",
          "JMSPriority > 4",
          "JMSTimestamp = " + sent.getJMSTimestamp(),
          "JMSTimestamp BETWEEN 1 AND " + (sent.getJMSTimestamp() + 1) + "",
          "JMSMessageID = '" + sent.getJMSMessageID() + "'",
          "JMSMessageID LIKE 'ID:%'",
          "JMSDeliveryMode = 'PERSISTENT'",
          "JMSDeliveryMode <> 'NON_PERSISTENT'",
          "JMSDeliveryMode IN ('PERSISTENT')"
        }) {
      assertThat(matches(session, queue, selector)).as(selector).isTrue();
    }
    for (String selector :
        new String[] {
          "JMSCorrelationID = 'other'",
          "JMSType = 'ca'",
          "JMSPriority < 7",
          "JMSTimestamp < 1000",
          "JMSMessageID = 'ID:0'",
          "JMSDeliveryMode = 'NON_PERSISTENT'"
        }) {
      assertThat(matches(session, queue, selector)).as(selector).isFalse();
    }
  }

  @Test
  @Assertion(
      section = "3.8.1.3",
      text = "JMSDeliveryMode of a non-persistent message is 'NON_PERSISTENT'")
  void deliveryModeOfNonPersistentMessages(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    session
        .createProducer(queue)
        .send(session.createTextMessage("m"), DeliveryMode.NON_PERSISTENT, 4, 0);
    assertThat(matches(session, queue, "JMSDeliveryMode = 'NON_PERSISTENT'")).isTrue();
    assertThat(matches(session, queue, "JMSDeliveryMode = 'PERSISTENT'")).isFalse();
  }

  @Test
  @Assertion(section = "3.8.1.1", text = "An empty selector is no selector")
  void emptySelectorIsNone(Jms jms) throws JMSException {
    assertMatch("", true, jms);
  }

  @Test
  @Assertion(section = "3.8.1", text = "A selector never sees the body")
  void selectorsDoNotSeeTheBody(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    var map = session.createMapMessage();
    map.setInt("inBody", 1);
    session.createProducer(queue).send(map);
    assertThat(matches(session, queue, "inBody = 1")).isFalse();
    assertThat(matches(session, queue, "inBody IS NULL")).isTrue();
  }

  @Test
  @Assertion(
      section = "4.1.2",
      text = "Messages a selector leaves out stay on the queue for others")
  void notSelectedMessagesStay(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    for (int i = 0; i < 10; i++) {
      Message message = session.createTextMessage("m" + i);
      message.setIntProperty("n", i);
      session.createProducer(queue).send(message);
    }
    MessageConsumer odd = session.createConsumer(queue, "n = 3 OR n = 5");
    assertThat(Jms.receiveTexts(odd, 2)).containsExactly("m3", "m5");
    assertThat(odd.receiveNoWait()).isNull();
    odd.close();
    assertThat(jms.drain(queue)).containsExactly("m0", "m1", "m2", "m4", "m6", "m7", "m8", "m9");
  }

  @Test
  @Assertion(section = "4.1.2", text = "Consumers with complementary selectors share a queue")
  void selectorsSplitAQueue(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageConsumer even = session.createConsumer(queue, "even = TRUE");
    MessageConsumer odd = session.createConsumer(queue, "even = FALSE");
    Session sender = jms.session();
    for (int i = 0; i < 6; i++) {
      Message message = sender.createTextMessage("m" + i);
      message.setBooleanProperty("even", i % 2 == 0);
      sender.createProducer(queue).send(message);
    }
    assertThat(Jms.receiveTexts(odd, 3)).containsExactly("m1", "m3", "m5");
    assertThat(Jms.receiveTexts(even, 3)).containsExactly("m0", "m2", "m4");
  }

  @Test
  @Assertion(
      section = "3.8.1.1",
      text = "getMessageSelector returns the selector, null where there is none")
  void getMessageSelector(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    assertThat(session.createConsumer(queue, "a = 1").getMessageSelector()).isEqualTo("a = 1");
    assertThat(session.createConsumer(queue).getMessageSelector()).isNull();
    assertThat(session.createConsumer(queue, null).getMessageSelector()).isNull();
    assertThat(session.createBrowser(queue, "a = 1").getMessageSelector()).isEqualTo("a = 1");
    assertThat(session.createBrowser(queue).getMessageSelector()).isNull();
  }

  private static void assertMatch(String selector, boolean expected, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    session.createProducer(queue).send(message(session));
    assertThat(matches(session, queue, selector)).as(selector).isEqualTo(expected);
  }

  private static boolean matches(Session session, Queue queue, String selector)
      throws JMSException {
    QueueBrowser browser = session.createBrowser(queue, selector);
    try {
      return browser.getEnumeration().hasMoreElements();
    } finally {
      browser.close();
    }
  }

  private static Message message(Session session) throws JMSException {
    Message m = session.createTextMessage("m");
    m.setStringProperty("string", "literal");
    m.setStringProperty("quoted", "it's");
    m.setStringProperty("empty", "");
    m.setStringProperty("number", "2");
    m.setStringProperty("unicode", "\u00e4\u20ac\ud83d\ude00");
    m.setStringProperty("percent", "100%");
    m.setStringProperty("underscored", "_foo");
    m.setStringProperty("dotted", "a.b*c");
    m.setStringProperty("brackets", "[x](y)");
    m.setStringProperty("multiline", "a\nb");
    m.setStringProperty("nullString", null);
    m.setBooleanProperty("bool", true);
    m.setBooleanProperty("no", false);
    m.setByteProperty("byte", (byte) 8);
    m.setShortProperty("short", (short) 16);
    m.setIntProperty("int", 57);
    m.setIntProperty("negative", -957);
    m.setIntProperty("zero", 0);
    m.setIntProperty("seven", 7);
    m.setLongProperty("long", Long.MAX_VALUE);
    m.setLongProperty("minLong", Long.MIN_VALUE);
    m.setFloatProperty("float", 0.5f);
    m.setDoubleProperty("double", 7.5);
    m.setDoubleProperty("sevenThousand", 7000);
    m.setIntProperty("_under", 1);
    m.setIntProperty("$dollar", 1);
    m.setIntProperty("\u00e4rger", 1);
    return m;
  }
}
