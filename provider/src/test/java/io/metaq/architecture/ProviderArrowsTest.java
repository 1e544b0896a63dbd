package io.metaq.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The provider lives in other people's class paths, so what it may lean on is a rule of the build.
 */
@AnalyzeClasses(packages = "io.metaq", importOptions = DoNotIncludeTests.class)
class ProviderArrowsTest {
  private static final DescribedPredicate<JavaClass> ADAPTERS_OF_OPTIONAL_LIBRARIES =
      simpleName("Lz4Streams").or(simpleName("ZstdStreams"));

  @ArchTest
  static final ArchRule providerLeansOnTheJdkAndTheJakartaApisOnly =
      classes()
          .that()
          .resideInAPackage("io.metaq..")
          .and()
          .resideOutsideOfPackage("io.metaq.jms.narayana..")
          .and(not(ADAPTERS_OF_OPTIONAL_LIBRARIES))
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.metaq.wire..",
              "io.metaq.selector..",
              "io.metaq.body..",
              "io.metaq.transport..",
              "io.metaq.client..",
              "io.metaq.jms..",
              "io.metaq.jndi..",
              "java..",
              "javax.naming..",
              "javax.net..",
              "javax.transaction.xa..",
              "jakarta.jms..",
              "jakarta.transaction..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule theOptionalLibrariesStandBehindOneClassEach =
      noClasses()
          .that(not(ADAPTERS_OF_OPTIONAL_LIBRARIES))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("net.jpountz..", "com.github.luben..");

  @ArchTest
  static final ArchRule nothingLeansOnTheHelperForNarayana =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.metaq.jms.narayana..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.metaq.jms.narayana..", "com.arjuna..");

  @ArchTest
  static final ArchRule wireKnowsNothingElseOfOurs =
      classes()
          .that()
          .resideInAPackage("io.metaq.wire..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.metaq.wire..", "java..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule selectorsKnowNothingElseOfOurs =
      classes()
          .that()
          .resideInAPackage("io.metaq.selector..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.metaq.selector..", "java..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule transportKnowsNoApi =
      noClasses()
          .that()
          .resideInAPackage("io.metaq.transport..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.metaq.client..", "io.metaq.jms..", "io.metaq.jndi..", "jakarta.jms..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule theMetaqClientNeedsNoJms =
      noClasses()
          .that()
          .resideInAPackage("io.metaq.client..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.metaq.jms..", "io.metaq.jndi..", "jakarta.jms..")
          .allowEmptyShould(true);
}
