package io.metaq.tck.harness;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The test is right by the specification and the named product is known to fail it. For that
 * product the failure is expected, and a pass is reported as a failure, so that the mark goes when
 * its reason does.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(KnownDeviations.class)
public @interface KnownDeviation {

  /** The product, as in {@link ProviderUnderTest#name()}. */
  String provider();

  /** What the product does instead. */
  String why();

  /**
   * For a parameterised test the display names it concerns, as a regular expression; every
   * invocation where left empty.
   */
  String cases() default "";
}
