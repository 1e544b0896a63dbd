package io.metaq.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.ra.outbound.MetaqGenericManagedConnectionFactory;
import io.metaq.ra.support.FakeContainer;
import jakarta.jms.JMSException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ResourceAdapterInternalException;
import org.junit.jupiter.api.Test;

/** Where an address comes from, and what becomes of one that is missing or wrong (fault C4). */
class BrokerSettingsTest {

  @Test
  void aMissingAddressIsAnErrorThatSaysWhatToSet() {
    assertThatThrownBy(BrokerSettings.NONE::connectionFactory)
        .isInstanceOf(JMSException.class)
        .hasMessageContaining("serverUrl");
    assertThatThrownBy(
            () -> new MetaqGenericManagedConnectionFactory().createManagedConnection(null, null))
        .isInstanceOf(ResourceException.class)
        .hasMessageContaining("serverUrl");
  }

  @Test
  void aWrongAddressIsNamedWhenTheAdapterStarts() {
    MetaqResourceAdapter adapter = new MetaqResourceAdapter();
    adapter.setServerUrl("tcp://elsewhere:1");
    try (FakeContainer container = new FakeContainer()) {
      assertThatThrownBy(() -> adapter.start(container))
          .isInstanceOf(ResourceAdapterInternalException.class)
          .hasMessageContaining("tcp://elsewhere:1");
    }
  }

  @Test
  void anAddressNobodyListensOnIsNamed() {
    MetaqGenericManagedConnectionFactory factory = new MetaqGenericManagedConnectionFactory();
    factory.setServerUrl("metaq://127.0.0.1:1");

    assertThatThrownBy(() -> factory.createManagedConnection(null, null))
        .isInstanceOf(ResourceException.class)
        .hasMessageContaining("metaq://127.0.0.1:1");
  }

  @Test
  void whatAFactorySaysGoesBeforeWhatTheAdapterSays() throws Exception {
    MetaqResourceAdapter adapter = new MetaqResourceAdapter();
    adapter.setServerUrl("metaq://one:1");
    adapter.setUserName("adapter");
    adapter.setPassword("secret");
    adapter.setClientId("a");
    MetaqGenericManagedConnectionFactory factory = new MetaqGenericManagedConnectionFactory();
    factory.setServerUrl("metaq://two:2");
    factory.setUserName("factory");
    factory.setResourceAdapter(adapter);

    assertThat(factory.settings())
        .isEqualTo(new BrokerSettings("metaq://two:2", "factory", null, "a"));
  }

  @Test
  void connectionsNeverReconnectByThemselvesWhateverTheUrlSays() throws Exception {
    for (String url :
        new String[] {
          "metaq://h:1", "metaq://h:1?prefetch=2", "metaq://h:1?reconnect=true&prefetch=2"
        }) {
      assertThat(new BrokerSettings(url, null, null, null).connectionFactory().getUrl())
          .contains("reconnect=false");
    }
  }

  @Test
  void noPasswordShows() {
    BrokerSettings settings =
        new BrokerSettings("metaq://h:1?password=secret", "u", "secret", null);

    assertThat(settings.toString()).doesNotContain("secret");
    assertThat(settings.shownUrl()).doesNotContain("secret");
  }
}
