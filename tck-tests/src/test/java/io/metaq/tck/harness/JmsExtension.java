package io.metaq.tck.harness;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands each test its own {@link Jms} and closes it afterwards. */
final class JmsExtension implements ParameterResolver, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(JmsExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Jms.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Brokers brokers =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(
                Brokers.class, key -> new Brokers(Providers.selected()), Brokers.class);
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Jms.class, key -> new Jms(brokers), Jms.class);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    Jms jms = context.getStore(NAMESPACE).remove(Jms.class, Jms.class);
    if (jms != null) {
      jms.close();
    }
  }
}
