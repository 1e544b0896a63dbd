package io.metaq.tck.harness;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Ties a test to what the specification demands; the table in the README is made from these. */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Assertion {

  /**
   * The section of Jakarta Messaging 3.1, such as {@code 6.2.10}; {@code API Session} where only
   * the API documentation of an interface says it.
   */
  String section();

  /** What must hold, in our words. */
  String text();
}
