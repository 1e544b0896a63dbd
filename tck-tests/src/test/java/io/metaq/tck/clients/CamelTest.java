package io.metaq.tck.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Camel's JMS component. */
@Tag("conformance")
@Timeout(120)
class CamelTest {

  @Test
  void aTransactedRouteLosesNothingOverRestarts(@TempDir Path directory) throws Exception {
    try (Restarts broker = new Restarts(directory)) {
      Set<String> received = new ConcurrentSkipListSet<>();
      CamelContext camel = context(broker.factory());
      try {
        camel.addRoutes(
            new RouteBuilder() {
              @Override
              public void configure() {
                from("jms:queue:in?transacted=true").to("jms:queue:out");
                from("jms:queue:out?transacted=true")
                    .process(exchange -> received.add(exchange.getMessage().getBody(String.class)));
              }
            });
        camel.start();
        ProducerTemplate template = camel.createProducerTemplate();
        Set<String> sent = new TreeSet<>();
        for (int i = 0; i < 30; i++) {
          if (i == 10 || i == 20) {
            broker.killAndStart();
          }
          template.sendBody("jms:queue:in", "m" + i);
          sent.add("m" + i);
        }
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(received).isEqualTo(sent));
      } finally {
        camel.stop();
      }
      assertThat(broker.drain("in")).isEmpty();
      assertThat(broker.drain("out")).isEmpty();
    }
  }

  @Test
  void requestAndReplyGoOnAfterARestart(@TempDir Path directory) throws Exception {
    try (Restarts broker = new Restarts(directory)) {
      CamelContext camel = context(broker.factory());
      try {
        camel.addRoutes(
            new RouteBuilder() {
              @Override
              public void configure() {
                from("jms:queue:questions")
                    .process(
                        exchange ->
                            exchange
                                .getMessage()
                                .setBody("re: " + exchange.getMessage().getBody(String.class)));
              }
            });
        camel.start();
        ProducerTemplate template = camel.createProducerTemplate();
        assertThat(ask(template, "one")).isEqualTo("re: one");
        broker.killAndStart();
        await()
            .atMost(Duration.ofSeconds(60))
            .ignoreExceptions()
            .untilAsserted(() -> assertThat(ask(template, "two")).isEqualTo("re: two"));
      } finally {
        camel.stop();
      }
    }
  }

  private static String ask(ProducerTemplate template, String question) {
    return template.requestBody("jms:queue:questions?requestTimeout=10000", question, String.class);
  }

  private static CamelContext context(ConnectionFactory factory) {
    DefaultCamelContext camel = new DefaultCamelContext();
    JmsComponent jms = JmsComponent.jmsComponentAutoAcknowledge(factory);
    jms.getConfiguration().setRecoveryInterval(100);
    camel.addComponent("jms", jms);
    return camel;
  }
}
