package io.metaq.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.containers.app.AppServlet;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The adapter in an application server. A start of the server is what takes the time, so the tests
 * share one, in an order that leaves the crash for the end.
 */
@Tag("containers")
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ApplicationServerTest {
  private static final Server CHOSEN = Server.chosen();
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir static Path directory;

  private static Broker broker;
  private final App app = new App();

  @ArquillianResource private ContainerController controller;
  @ArquillianResource private Deployer deployer;

  @Deployment(name = "app", managed = false, testable = false)
  @TargetsContainer(Server.QUALIFIER)
  static WebArchive application() throws IOException {
    String references = Files.readString(Server.TEST_FILES.resolve("web.xml"));
    WebArchive application =
        ShrinkWrap.create(WebArchive.class, "app.war")
            .addPackage(AppServlet.class.getPackage())
            .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
            .setWebXML(new StringAsset(references.replace("@JNDI@", CHOSEN.jndi(""))));
    return CHOSEN.dressed(application);
  }

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new Broker(directory);
    CHOSEN.setUp(Broker.URL);
  }

  @AfterAll
  static void endBroker() {
    broker.close();
  }

  private void awaitRows(String bean, String... texts) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> assertThat(app.rows(bean)).containsExactly(texts));
  }

  @Test
  @Order(1)
  void theAdapterAndAnApplicationDeploy() throws Exception {
    CHOSEN.start(controller);
    deployer.deploy("app");

    assertThat(app.ask("create")).isEqualTo("created");
  }

  @Test
  @Order(2)
  void factoriesAndDestinationsAreFoundByReferenceAndByName() throws Exception {
    for (String name : List.of("java:comp/env/jms/factory", CHOSEN.jndi("jms/factory"))) {
      assertThat(app.ask("lookup", "name", name))
          .isEqualTo("io.metaq.ra.outbound.RaConnectionFactory");
    }
    assertThat(app.ask("lookup", "name", CHOSEN.jndi("jms/orders")))
        .isEqualTo("io.metaq.ra.AdminQueue");
    assertThat(app.ask("lookup", "name", CHOSEN.jndi("jms/news")))
        .isEqualTo("io.metaq.ra.AdminTopic");
  }

  @Test
  @Order(3)
  void aSendAndARowStandOrFallTogether() throws Exception {
    app.ask("send", "queue", "q", "text", "kept", "end", "commit");
    app.ask("send", "queue", "q", "text", "dropped", "end", "rollback");

    assertThat(app.rows("send")).containsExactly("kept");
    assertThat(app.ask("receive", "queue", "q", "end", "rollback")).isEqualTo("kept");
    assertThat(app.ask("receive", "queue", "q", "end", "commit")).isEqualTo("kept");
    assertThat(app.rows("receive")).containsExactly("kept");
    assertThat(broker.receive("q", Duration.ofMillis(300))).isNull();
  }

  @Test
  @Order(4)
  void aTransactionOfTheContainerCarriesAnInjectedFactoryAndABean() throws Exception {
    app.ask("inject", "queue", "orders", "text", "first", "end", "commit");
    app.ask("inject", "queue", "orders", "text", "never", "end", "rollback");

    awaitRows("OrdersBean", "first");
    assertThat(app.rows("inject")).containsExactly("first");
  }

  @Test
  @Order(5)
  void beansOfEachKindAreServed() {
    broker.send("plain", "p");
    broker.publish("news", "n");

    awaitRows("PlainBean", "p");
    awaitRows("TopicBean", "n");
    awaitRows("DurableBean", "n");
  }

  /** Fault R1. */
  @Test
  @Order(6)
  void poisonGoesToTheDeadLettersAndHoldsUpNobody() throws Exception {
    broker.send("poison", "x");
    broker.send("rollback", "y");

    Set<String> from = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      Message dead = broker.receive("DLQ", PATIENCE);
      assertThat(dead).isNotNull();
      assertThat(dead.getStringProperty("JMS_MetaQ_DeadLetterReason")).isNotEmpty();
      from.add(dead.getStringProperty("JMS_MetaQ_OriginalDestination"));
    }
    assertThat(from).containsExactlyInAnyOrder("poison", "rollback");
    assertThat(app.rows("PoisonBean")).isEmpty();
    assertThat(app.rows("RollbackBean")).isEmpty();
  }

  @Test
  @Order(7)
  void aBrokerRestartedTenTimesUnderLoadLosesNothingAndDoublesNothing() throws Exception {
    String[] texts =
        IntStream.range(0, 200).mapToObj(i -> String.format("load-%03d", i)).toArray(String[]::new);
    for (int i = 0; i < texts.length; i++) {
      if (i % 20 == 10) {
        broker.killAndStartAgain();
      }
      broker.send("orders", texts[i]);
    }

    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () ->
                assertThat(app.rows("OrdersBean").stream().filter(t -> t.startsWith("load")))
                    .containsExactly(texts));
    assertThat(broker.receive("orders", Duration.ofMillis(300))).isNull();
  }

  @Test
  @Order(8)
  void aServerKilledBetweenPrepareAndCommitFinishesTheTransactionAfterItsRestart()
      throws Exception {
    assumeTrue(CHOSEN.recoversAfterACrash());
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                return app.ask("halt", "queue", "doubt", "text", "survives").isEmpty();
              } catch (IOException killed) {
                return true;
              }
            });
    assertThat(broker.receive("doubt", Duration.ofMillis(300))).isNull();
    CHOSEN.died(controller);

    CHOSEN.start(controller);

    Message recovered = broker.receive("doubt", PATIENCE);
    assertThat(recovered).as("what recovery committed").isNotNull();
    assertThat(recovered.getBody(String.class)).isEqualTo("survives");
  }

  @Test
  @Order(9)
  void theApplicationGoesAndTheServerStops() throws Exception {
    deployer.undeploy("app");
    CHOSEN.stop(controller);
  }
}
