package io.metaq.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.engine.Inbound;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProtocolDetectorTest {

  private static EmbeddedChannel channel(String peer, boolean linesFromAnywhere) {
    Inbound nobody =
        (Inbound)
            Proxy.newProxyInstance(
                Inbound.class.getClassLoader(),
                new Class<?>[] {Inbound.class},
                (proxy, method, arguments) -> {
                  throw new AssertionError("the engine was asked for " + method.getName());
                });
    ServerSettings settings = ServerSettings.of("0.0.0.0", 0, linesFromAnywhere, "1.2.3");
    EmbeddedChannel channel =
        new EmbeddedChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(peer, 50_000);
          }
        };
    channel.pipeline().addLast(new ProtocolDetector(settings, new Connections(settings), nobody));
    channel.writeInbound(Unpooled.copiedBuffer("version\r\n", StandardCharsets.US_ASCII));
    return channel;
  }

  @Test
  void theLineProtocolServesThisMachine() {
    assertThat(channel("127.0.0.1", false).isOpen()).isTrue();
    assertThat(channel("::1", false).isOpen()).isTrue();
  }

  @Test
  void theLineProtocolWhichKnowsNoLoginIsOffForOtherMachines() {
    EmbeddedChannel channel = channel("192.0.2.7", false);

    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.<Object>readOutbound()).isNull();
  }

  @Test
  void theLineProtocolServesOtherMachinesOnceItActsAsAUser() {
    assertThat(channel("192.0.2.7", true).isOpen()).isTrue();
  }
}
