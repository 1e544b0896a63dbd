package io.metaq.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetaqUriTest {
  @Test
  void severalAddressesAndOptionsAreRead() {
    MetaqUri uri =
        MetaqUri.parse("metaq://a:1,b,[::1]:3?prefetch=7&reconnect=false&clientId=x%20y");

    assertThat(uri.addresses())
        .containsExactly(
            new BrokerAddress("a", 1), new BrokerAddress("b", 8123), new BrokerAddress("::1", 3));
    assertThat(uri.number(ClientOption.PREFETCH)).isEqualTo(7);
    assertThat(uri.flag(ClientOption.RECONNECT)).isFalse();
    assertThat(uri.text(ClientOption.CLIENT_ID)).isEqualTo("x y");
    assertThat(uri.number(ClientOption.HEARTBEAT)).isEqualTo(10_000);
  }

  @Test
  void anUnknownOptionIsAnErrorThatNamesTheNearOnes() {
    assertThatThrownBy(() -> MetaqUri.parse("metaq://a?prefech=7"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefech")
        .hasMessageContaining("did you mean prefetch");
  }

  @Test
  void allFaultsComeInOneError() {
    assertThatThrownBy(
            () ->
                MetaqUri.parse(
                    "metaq://a:99999,?prefetch=x&heartbeat=1&reconnect=perhaps&nonsensical=1"))
        .hasMessageContaining("99999")
        .hasMessageContaining("a host is missing")
        .hasMessageContaining("prefetch=x")
        .hasMessageContaining("100..3600000 ms")
        .hasMessageContaining("true or false")
        .hasMessageContaining("unknown option 'nonsensical'");
  }

  @Test
  void anUnknownCompressionIsAnErrorThatListsTheKnownOnes() {
    assertThat(MetaqUri.parse("metaq://a?compression=zstd").text(ClientOption.COMPRESSION))
        .isEqualTo("zstd");
    assertThatThrownBy(() -> MetaqUri.parse("metaq://a?compression=brotli"))
        .hasMessageContaining("compression=brotli: must be one of deflate, lz4, zstd");
  }

  @Test
  void aPasswordIsNeverShown() {
    MetaqUri uri = MetaqUri.parse("metaq://a?user=u&password=secret");

    assertThat(uri.toString()).doesNotContain("secret");
    assertThatThrownBy(() -> MetaqUri.parse("metaq://a?password=secret&prefetch=-1"))
        .hasMessageNotContaining("secret");
  }

  @Test
  void everyDefaultIsWithinItsRange() {
    for (ClientOption option : ClientOption.values()) {
      option.check(option.defaultValue());
    }
  }

  @Test
  void anotherSchemeIsRefused() {
    assertThatThrownBy(() -> MetaqUri.parse("tcp://a:1")).hasMessageContaining("metaq://host:8123");
  }
}
