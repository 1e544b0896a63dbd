package io.metaq.tck.harness;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Turns the outcome of a test around where {@link KnownDeviation} names the product. */
final class KnownDeviationExtension implements InvocationInterceptor {

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> invocationContext,
      ExtensionContext context)
      throws Throwable {
    invoke(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> invocationContext,
      ExtensionContext context)
      throws Throwable {
    invoke(invocation, context);
  }

  private static void invoke(Invocation<Void> invocation, ExtensionContext context)
      throws Throwable {
    Optional<KnownDeviation> deviation = deviation(context);
    if (deviation.isEmpty()) {
      invocation.proceed();
      return;
    }
    try {
      invocation.proceed();
    } catch (Throwable expected) {
      throw new TestAbortedException("known deviation: " + deviation.get().why(), expected);
    }
    throw new AssertionFailedError(
        "passes although marked as a known deviation of "
            + deviation.get().provider()
            + "; remove the mark");
  }

  private static Optional<KnownDeviation> deviation(ExtensionContext context) {
    return Arrays.stream(context.getRequiredTestMethod().getAnnotationsByType(KnownDeviation.class))
        .filter(mark -> mark.provider().equals(Providers.selectedName()))
        .filter(mark -> mark.cases().isEmpty() || context.getDisplayName().matches(mark.cases()))
        .findFirst();
  }
}
