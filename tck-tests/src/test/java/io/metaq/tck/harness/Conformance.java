package io.metaq.tck.harness;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Marks a class of conformance tests: each test gets a fresh {@link Jms} from the product. */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("conformance")
@ExtendWith({KnownDeviationExtension.class, JmsExtension.class})
public @interface Conformance {}
