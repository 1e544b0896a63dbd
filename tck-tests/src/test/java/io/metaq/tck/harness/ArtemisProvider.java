package io.metaq.tck.harness;

/** The control: Apache ActiveMQ Artemis, embedded. */
public final class ArtemisProvider implements ProviderUnderTest {

  @Override
  public String name() {
    return "artemis";
  }

  @Override
  public BrokerUnderTest start(BrokerMode mode) throws Exception {
    return new ArtemisBroker(mode);
  }
}
