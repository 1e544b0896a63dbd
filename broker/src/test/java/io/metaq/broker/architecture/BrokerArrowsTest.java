package io.metaq.broker.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

/** The arrows between the broker's packages, and what keeps the core deterministic. */
@AnalyzeClasses(packages = "io.metaq.broker", importOptions = DoNotIncludeTests.class)
class BrokerArrowsTest {

  @ArchTest
  static final ArchRule coreDoesNoInputOrOutputAndStartsNoThread =
      noClasses()
          .that(resideInAPackage("io.metaq.broker.core.."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "java.io..",
                  "java.net..",
                  "java.nio.file..",
                  "java.nio.channels..",
                  "java.util.concurrent..",
                  "java.security..",
                  "org.slf4j..",
                  "io.netty.."))
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule coreIsHandedTimeAndChance =
      noClasses()
          .that(resideInAPackage("io.metaq.broker.core.."))
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(UUID.class, "randomUUID")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule coreKnowsTheWireAndTheSelectorsOnly =
      classes()
          .that(resideInAPackage("io.metaq.broker.core.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "io.metaq.broker.core..",
                  "io.metaq.wire..",
                  "io.metaq.selector..",
                  "org.roaringbitmap..",
                  "java.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule engineKnowsNoNetworkAndNoOperator =
      noClasses()
          .that(resideInAPackage("io.metaq.broker.engine.."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.metaq.broker.server..",
                  "io.metaq.broker.cluster..",
                  "io.metaq.broker.admin..",
                  "io.metaq.broker.cli..",
                  "java.net.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nettyStaysInTheServer =
      noClasses()
          .that(not(resideInAPackage("io.metaq.broker.server..")))
          .should()
          .dependOnClassesThat(resideInAPackage("io.netty.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule storeKnowsNeitherTheCoreNorTheNetwork =
      noClasses()
          .that(resideInAPackage("io.metaq.broker.store.."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.metaq.broker.core..",
                  "io.metaq.broker.engine..",
                  "io.metaq.broker.server..",
                  "io.metaq.broker.cluster..",
                  "io.metaq.broker.admin..",
                  "io.metaq.broker.cli..",
                  "java.net.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule configurationStandsAlone =
      noClasses()
          .that(resideInAPackage("io.metaq.broker.config.."))
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.metaq..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "io.metaq.broker.config..", "io.metaq.broker.security.."))))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nothingLeansOnTheCommandLine =
      noClasses()
          .that(not(resideInAPackage("io.metaq.broker.cli..")))
          .should()
          .dependOnClassesThat(resideInAPackage("io.metaq.broker.cli.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule theBrokerUsesTheProvidersApiInTheCommandLineOnly =
      noClasses()
          .that(not(resideInAPackage("io.metaq.broker.cli..")))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.metaq.jms..",
                  "io.metaq.jndi..",
                  "io.metaq.client..",
                  "io.metaq.transport..",
                  "jakarta.jms.."))
          .allowEmptyShould(true);
}
