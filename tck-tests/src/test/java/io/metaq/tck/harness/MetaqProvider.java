package io.metaq.tck.harness;

/** MetaQ, with its broker embedded. */
public final class MetaqProvider implements ProviderUnderTest {

  @Override
  public String name() {
    return "metaq";
  }

  @Override
  public BrokerUnderTest start(BrokerMode mode) throws Exception {
    return new MetaqBroker(mode);
  }
}
