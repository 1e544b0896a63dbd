package io.metaq.tck.harness;

import java.util.EnumMap;
import java.util.Map;

/** The brokers of one test run: each mode is started when first asked for and kept to the end. */
final class Brokers implements AutoCloseable {

  private final ProviderUnderTest provider;
  private final Map<BrokerMode, BrokerUnderTest> running = new EnumMap<>(BrokerMode.class);

  Brokers(ProviderUnderTest provider) {
    this.provider = provider;
  }

  synchronized BrokerUnderTest in(BrokerMode mode) throws Exception {
    BrokerUnderTest broker = running.get(mode);
    if (broker == null) {
      broker = provider.start(mode);
      running.put(mode, broker);
    }
    return broker;
  }

  @Override
  public synchronized void close() {
    for (BrokerUnderTest broker : running.values()) {
      broker.close();
    }
    running.clear();
  }
}
