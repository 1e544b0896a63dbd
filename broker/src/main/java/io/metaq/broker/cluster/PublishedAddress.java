package io.metaq.broker.cluster;

import io.metaq.broker.config.BrokerConfig;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Collections;
import java.util.List;

/**
 * The host under which clients find this broker: the configured name, else the address listened on,
 * else, when that is "any", the first IPv4 address that is not loopback.
 */
final class PublishedAddress {

  private PublishedAddress() {}

  static String of(BrokerConfig config) throws IOException {
    if (config.hostName().isPresent()) {
      return config.hostName().get();
    }
    InetAddress bound = InetAddress.getByName(config.bindAddress());
    return literal(bound.isAnyLocalAddress() ? firstReachable(bound) : bound);
  }

  private static InetAddress firstReachable(InetAddress otherwise) throws IOException {
    List<NetworkInterface> all = Collections.list(NetworkInterface.getNetworkInterfaces());
    return all.stream()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
        .findFirst()
        .orElse(otherwise);
  }

  private static String literal(InetAddress address) {
    String text = address.getHostAddress();
    return text.contains(":") ? "[" + text + "]" : text;
  }
}
