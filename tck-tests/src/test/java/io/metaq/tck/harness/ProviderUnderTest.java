package io.metaq.tck.harness;

/**
 * A messaging product that the conformance tests can judge. One implementation per product, found
 * through {@link java.util.ServiceLoader} by its {@link #name()}; nothing else in the tests knows
 * which product runs.
 */
public interface ProviderUnderTest {

  /** The value of the system property {@code provider} that selects this product. */
  String name();

  /** Starts an empty broker on a free port of the loopback interface. */
  BrokerUnderTest start(BrokerMode mode) throws Exception;
}
