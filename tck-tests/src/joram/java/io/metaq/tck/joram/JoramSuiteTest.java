package io.metaq.tck.joram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.objectweb.jtests.jms.conform.connection.ConnectionTest;
import org.objectweb.jtests.jms.conform.connection.TopicConnectionTest;
import org.objectweb.jtests.jms.conform.message.MessageBodyTest;
import org.objectweb.jtests.jms.conform.message.MessageDefaultTest;
import org.objectweb.jtests.jms.conform.message.MessageTypeTest;
import org.objectweb.jtests.jms.conform.message.headers.MessageHeaderTest;
import org.objectweb.jtests.jms.conform.message.properties.JMSXPropertyTest;
import org.objectweb.jtests.jms.conform.message.properties.MessagePropertyConversionTest;
import org.objectweb.jtests.jms.conform.message.properties.MessagePropertyTest;
import org.objectweb.jtests.jms.conform.queue.QueueBrowserTest;
import org.objectweb.jtests.jms.conform.queue.TemporaryQueueTest;
import org.objectweb.jtests.jms.conform.selector.SelectorSyntaxTest;
import org.objectweb.jtests.jms.conform.selector.SelectorTest;
import org.objectweb.jtests.jms.conform.session.QueueSessionTest;
import org.objectweb.jtests.jms.conform.session.SessionTest;
import org.objectweb.jtests.jms.conform.session.TopicSessionTest;
import org.objectweb.jtests.jms.conform.session.UnifiedSessionTest;
import org.objectweb.jtests.jms.conform.topic.TemporaryTopicTest;

/** Runs each test of the Joram suite as one of ours. */
@Tag("conformance")
class JoramSuiteTest {

  private static final List<Class<? extends TestCase>> SUITE =
      List.of(
          ConnectionTest.class,
          TopicConnectionTest.class,
          MessageBodyTest.class,
          MessageDefaultTest.class,
          MessageTypeTest.class,
          MessageHeaderTest.class,
          JMSXPropertyTest.class,
          MessagePropertyConversionTest.class,
          MessagePropertyTest.class,
          QueueBrowserTest.class,
          TemporaryQueueTest.class,
          SelectorSyntaxTest.class,
          SelectorTest.class,
          QueueSessionTest.class,
          SessionTest.class,
          TopicSessionTest.class,
          UnifiedSessionTest.class,
          TemporaryTopicTest.class);

  @BeforeAll
  static void openBroker() throws Exception {
    JoramAdmin.open();
  }

  @AfterAll
  static void shutBroker() {
    JoramAdmin.shut();
  }

  @TestFactory
  Stream<DynamicTest> joram() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Class<? extends TestCase> type : SUITE) {
      for (Object test : Collections.list(testsOf(type))) {
        tests.add(DynamicTest.dynamicTest(test.toString(), () -> run((Test) test)));
      }
    }
    assertThat(tests).as("the suite is whole").hasSize(196);
    return tests.stream();
  }

  private static Enumeration<Test> testsOf(Class<? extends TestCase> type) {
    return new TestSuite(type).tests();
  }

  private static void run(Test test) throws Throwable {
    TestResult result = new TestResult();
    test.run(result);
    for (Enumeration<TestFailure> all = result.failures(); all.hasMoreElements(); ) {
      throw all.nextElement().thrownException();
    }
    for (Enumeration<TestFailure> all = result.errors(); all.hasMoreElements(); ) {
      throw all.nextElement().thrownException();
    }
  }
}
