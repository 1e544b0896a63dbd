package io.metaq.transport;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A parsed {@code metaq://host:port,host2:port2?option=value&option2=value2}. Immutable; never
 * shows a password.
 *
 * <p>The port may be left out (8123). An IPv6 host stands in brackets. Values are URL-decoded.
 */
public final class MetaqUri {
  private static final String SCHEME = "metaq://";

  private final List<BrokerAddress> addresses;
  private final Map<ClientOption, String> options;

  private MetaqUri(List<BrokerAddress> addresses, Map<ClientOption, String> options) {
    this.addresses = List.copyOf(addresses);
    this.options = options;
  }

  /**
   * @throws IllegalArgumentException listing every fault of the text
   */
  public static MetaqUri parse(String text) {
    if (text == null || !text.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "A broker URL looks like metaq://host:8123,host2:8123?option=value, not like "
              + masked(text));
    }
    List<String> faults = new ArrayList<>();
    int query = text.indexOf('?');
    String hosts = text.substring(SCHEME.length(), query < 0 ? text.length() : query);
    if (hosts.endsWith("/")) {
      hosts = hosts.substring(0, hosts.length() - 1);
    }
    List<BrokerAddress> addresses = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      address(host.trim(), addresses, faults);
    }
    Map<ClientOption, String> options = new EnumMap<>(ClientOption.class);
    if (query >= 0 && query + 1 < text.length()) {
      for (String pair : text.substring(query + 1).split("&", -1)) {
        option(pair, options, faults);
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "Broker URL " + masked(text) + ": " + String.join("; ", faults));
    }
    return new MetaqUri(addresses, options);
  }

  private static void address(String text, List<BrokerAddress> addresses, List<String> faults) {
    int colon = text.lastIndexOf(':');
    if (text.startsWith("[") ? text.endsWith("]") : colon < 0) {
      colon = text.length();
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty()) {
      faults.add("a host is missing");
      return;
    }
    if (colon >= text.length()) {
      addresses.add(new BrokerAddress(host, BrokerAddress.DEFAULT_PORT));
      return;
    }
    String digits = text.substring(colon + 1);
    if (digits.matches("[0-9]{1,5}")
        && Integer.parseInt(digits) >= 1
        && Integer.parseInt(digits) <= 65535) {
      addresses.add(new BrokerAddress(host, Integer.parseInt(digits)));
    } else {
      faults.add("port '" + digits + "' of " + host + " must be within 1..65535");
    }
  }

  private static void option(String pair, Map<ClientOption, String> options, List<String> faults) {
    int equals = pair.indexOf('=');
    if (equals <= 0) {
      faults.add("'" + pair + "' must be option=value");
      return;
    }
    String key = pair.substring(0, equals);
    ClientOption option = ClientOption.of(key).orElse(null);
    if (option == null) {
      List<String> near = ClientOption.near(key);
      faults.add(
          "unknown option '"
              + key
              + "'"
              + (near.isEmpty() ? "" : ", did you mean " + String.join(", ", near) + "?"));
      return;
    }
    try {
      String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
      option.check(value);
      if (options.put(option, value) != null) {
        faults.add("option " + key + " is given twice");
      }
    } catch (IllegalArgumentException e) {
      faults.add(e.getMessage());
    }
  }

  /** The text with the value of a password replaced. */
  public static String masked(String text) {
    return text == null ? null : text.replaceAll("(?i)(password=)[^&]*", "$1***");
  }

  public List<BrokerAddress> addresses() {
    return addresses;
  }

  public String text(ClientOption option) {
    return options.getOrDefault(option, option.defaultValue());
  }

  public int number(ClientOption option) {
    return Integer.parseInt(text(option));
  }

  public boolean flag(ClientOption option) {
    return Boolean.parseBoolean(text(option));
  }

  @Override
  public String toString() {
    StringBuilder shown = new StringBuilder(SCHEME);
    for (int i = 0; i < addresses.size(); i++) {
      shown.append(i == 0 ? "" : ",").append(addresses.get(i));
    }
    char separator = '?';
    for (Map.Entry<ClientOption, String> option : options.entrySet()) {
      String value = option.getKey() == ClientOption.PASSWORD ? "***" : option.getValue();
      shown.append(separator).append(option.getKey().key()).append('=').append(value);
      separator = '&';
    }
    return shown.toString();
  }
}
