package io.metaq.broker.config;

import io.metaq.broker.config.DestinationConfig.Kind;
import io.metaq.broker.config.IniFile.Entry;
import io.metaq.broker.config.IniFile.Section;
import io.metaq.broker.config.Key.Place;
import io.metaq.broker.security.UserStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Turns the text of a {@code server.ini} into a {@link BrokerConfig}, or into a report of all that
 * is wrong with it. MetaQ's sections and keys are known; no key is required.
 */
public final class ServerIni {

  private static final Pattern NAME = Pattern.compile("[^\\s/\\\\\\p{Cntrl}]{1,200}");

  private final String source;
  private final List<Fault> faults = new ArrayList<>();
  private final List<Fault> notes = new ArrayList<>();

  private ServerIni(String source) {
    this.source = source;
  }

  /**
   * Reads a file. Relative paths in it start at its folder.
   *
   * @throws ConfigException with every fault of the file, or because it cannot be read
   */
  public static BrokerConfig load(Path file) throws ConfigException {
    return load(file, Map.of());
  }

  /**
   * Reads a file, some keys of whose {@code [system]} and {@code [zookeeper]} sections are
   * overruled.
   *
   * @throws ConfigException with every fault of the file and of the overruling values
   */
  public static BrokerConfig load(Path file, Map<String, String> overruled) throws ConfigException {
    Path absolute = file.toAbsolutePath();
    String text;
    try {
      text = Files.readString(absolute, StandardCharsets.UTF_8);
    } catch (MalformedInputException e) {
      throw unreadable(file, "it is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(file, Files.exists(absolute) ? e.toString() : "there is no such file");
    }
    return new ServerIni(file.toString()).read(text, absolute.getParent(), overruled);
  }

  /**
   * Reads a text as if it stood in a file of {@code folder}.
   *
   * @throws ConfigException with every fault of the text
   */
  public static BrokerConfig parse(String text, Path folder) throws ConfigException {
    return parse(text, folder, Map.of());
  }

  /**
   * Reads a text as if it stood in a file of {@code folder}, some keys of whose {@code [system]}
   * and {@code [zookeeper]} sections are overruled.
   *
   * @throws ConfigException with every fault of the text and of the overruling values
   */
  public static BrokerConfig parse(String text, Path folder, Map<String, String> overruled)
      throws ConfigException {
    return new ServerIni("server.ini").read(text, folder, overruled);
  }

  private static ConfigException unreadable(Path file, String why) {
    return new ConfigException(
        file.toString(), List.of(new Fault(0, "cannot read the configuration: " + why)));
  }

  private BrokerConfig read(String text, Path folder, Map<String, String> overruled)
      throws ConfigException {
    IniFile ini = IniFile.parse(text, faults);
    Settings defaults = Settings.defaults(folder);
    Settings system = single(ini, Place.SYSTEM, defaults, overruled);
    Settings zookeeper = single(ini, Place.ZOOKEEPER, defaults, overruled);
    List<DestinationConfig> destinations = destinations(ini, system);
    overruled.keySet().stream().filter(name -> !isGlobal(name)).forEach(this::unknownOverrule);
    notes.addAll(system.unheeded(false));
    BrokerConfig config = broker(system, zookeeper, destinations);
    checkUsers(config, system);
    if (!faults.isEmpty()) {
      throw new ConfigException(source, faults);
    }
    return config;
  }

  private static boolean isGlobal(String name) {
    return Keys.ALL.stream()
        .anyMatch(
            key ->
                key.name().equals(name)
                    && (key.places().contains(Place.SYSTEM)
                        || key.places().contains(Place.ZOOKEEPER)));
  }

  private void unknownOverrule(String name) {
    String hint = NearNames.hint(name, Keys.ALL.stream().map(Key::name).toList());
    faults.add(new Fault(0, "unknown key '" + name + "' given beside the file" + hint));
  }

  /** Reads a section that stands at most once, then what overrules it. */
  private Settings single(
      IniFile ini, Place place, Settings defaults, Map<String, String> overruled) {
    Settings settings = defaults;
    int first = 0;
    for (Section section : ini.sections()) {
      if (!section.kind().equals(place.word())) {
        continue;
      }
      if (!section.name().isEmpty()) {
        faults.add(new Fault(section.line(), section.header() + " takes no name"));
      } else if (first > 0) {
        faults.add(twice(section, first));
      } else {
        first = section.line();
        settings = Settings.read(section, place, defaults, faults);
      }
    }
    List<Entry> entries =
        overruled.entrySet().stream()
            .filter(e -> Keys.of(place).stream().anyMatch(k -> k.name().equals(e.getKey())))
            .map(e -> new Entry(e.getKey(), e.getValue(), 0))
            .toList();
    return Settings.read(new Section(place.word(), "", 0, entries), place, settings, faults);
  }

  private List<DestinationConfig> destinations(IniFile ini, Settings system) {
    List<DestinationConfig> destinations = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (Section section : ini.sections()) {
      switch (section.kind()) {
        case "system", "zookeeper" -> {}
        case "topic", "queue" -> {
          Integer first = seen.putIfAbsent(section.name(), section.line());
          if (!NAME.matcher(section.name()).matches()) {
            faults.add(new Fault(section.line(), badName(section)));
          } else if (first != null) {
            faults.add(twice(section, first));
          }
          Place place = section.kind().equals("topic") ? Place.TOPIC : Place.QUEUE;
          Settings settings = Settings.read(section, place, system, faults);
          settings.unheeded(true).forEach(notes::add);
          destinations.add(destination(Kind.valueOf(place.name()), section.name(), settings));
        }
        default ->
            faults.add(
                new Fault(
                    section.line(),
                    "unknown section "
                        + section.header()
                        + "; there are [system], [zookeeper], [topic=NAME] and [queue=NAME]"));
      }
    }
    return destinations;
  }

  private static String badName(Section section) {
    return section.header()
        + " needs a name of 1 to 200 characters without blanks and slashes, as in ["
        + section.kind()
        + "=orders]";
  }

  private static Fault twice(Section section, int first) {
    String what = section.name().isEmpty() ? section.header() : "'" + section.name() + "'";
    return new Fault(
        section.line(),
        what
            + " is declared twice; line "
            + first
            + " has it too (a name is one queue or one topic)");
  }

  private BrokerConfig broker(
      Settings system, Settings zookeeper, List<DestinationConfig> destinations) {
    return new BrokerConfig(
        system.get(Keys.BROKER_ID),
        system.get(Keys.HOST_NAME),
        system.get(Keys.BIND_ADDRESS),
        system.get(Keys.SERVER_PORT),
        system.get(Keys.DASHBOARD_HTTP_PORT),
        system.get(Keys.DATA_PATH),
        system.get(Keys.USERS_FILE),
        system.get(Keys.LINE_PROTOCOL_USER),
        system.get(Keys.AUTO_CREATE),
        system.get(Keys.MAX_SEGMENT_SIZE),
        system.get(Keys.MAX_TRANSFER_SIZE),
        system.get(Keys.MAX_TX_TIMEOUT),
        system.get(Keys.UPDATE_CONSUMER_OFFSETS),
        system.get(Keys.APP_CLASS_PATH),
        journal(system),
        zookeeper(system, zookeeper),
        destination(Kind.TOPIC, "*", system),
        destinations,
        notes);
  }

  private static JournalConfig journal(Settings system) {
    return new JournalConfig(
        system.get(Keys.DATA_LOG_PATH).orElse(system.get(Keys.DATA_PATH)),
        system.get(Keys.JOURNAL_FILE_SIZE),
        system.get(Keys.RECOVERY_MODE),
        system.get(Keys.FLUSH_TX_LOG_AT_COMMIT),
        system.get(Keys.INLINE_FORCE),
        system.get(Keys.MAX_CHECKPOINTS),
        system.get(Keys.CHECKPOINT_INTERVAL));
  }

  private static ZooKeeperConfig zookeeper(Settings system, Settings zookeeper) {
    return new ZooKeeperConfig(
        zookeeper.get(Keys.ZK_ENABLE),
        zookeeper.get(Keys.ZK_CONNECT),
        zookeeper.get(Keys.ZK_SESSION_TIMEOUT),
        zookeeper.get(Keys.ZK_CONNECTION_TIMEOUT),
        zookeeper.get(Keys.ZK_SYNC_TIME),
        zookeeper.get(Keys.ZK_ROOT),
        zookeeper.get(Keys.ZK_SERVER_PORT),
        zookeeper
            .get(Keys.ZK_SERVER_DIRECTORY)
            .orElse(system.get(Keys.DATA_PATH).resolve("zookeeper")));
  }

  private static DestinationConfig destination(Kind kind, String name, Settings s) {
    return new DestinationConfig(
        kind,
        name,
        s.get(Keys.NUM_PARTITIONS),
        s.get(Keys.DATA_PATH),
        s.get(Keys.ACCEPT_PUBLISH),
        s.get(Keys.ACCEPT_SUBSCRIBE),
        s.get(Keys.STAT),
        s.get(Keys.DELETE_POLICY),
        s.get(Keys.DELETE_WHEN),
        new FlushConfig(s.get(Keys.UNFLUSH_THRESHOLD), s.get(Keys.UNFLUSH_INTERVAL)),
        new LimitConfig(
            s.get(Keys.MAX_MESSAGES),
            s.get(Keys.MAX_BYTES),
            s.get(Keys.MAX_MESSAGE_SIZE),
            s.get(Keys.NON_PERSISTENT_MAX_BYTES),
            s.get(Keys.LIMIT_POLICY)),
        new RedeliveryConfig(
            s.get(Keys.REDELIVERY_DELAY),
            s.get(Keys.REDELIVERY_MULTIPLIER),
            s.get(Keys.MAX_REDELIVERY_DELAY),
            s.get(Keys.REDELIVERY_JITTER),
            s.get(Keys.MAX_DELIVERIES),
            s.get(Keys.DEAD_LETTER_QUEUE)),
        s.get(Keys.EXPIRY_QUEUE),
        s.filters());
  }

  /** Whoever can reach the broker from another machine must have a name. */
  private void checkUsers(BrokerConfig config, Settings system) {
    String file = config.usersFile().toString();
    boolean anyUser = false;
    try {
      anyUser = !UserStore.load(config.usersFile()).isEmpty();
      if (system.isSet(Keys.USERS_FILE) && !Files.exists(config.usersFile())) {
        fault(system, Keys.USERS_FILE, file + " does not exist; 'bin/metaq user add' makes it");
      }
    } catch (IOException e) {
      fault(system, Keys.USERS_FILE, file + " cannot be used: " + e.getMessage());
    }
    try {
      if (!anyUser && !InetAddress.getByName(config.bindAddress()).isLoopbackAddress()) {
        fault(
            system,
            Keys.BIND_ADDRESS,
            config.bindAddress()
                + " is reachable from other machines, but "
                + file
                + " names no user; add one with 'bin/metaq user add NAME' or bind to 127.0.0.1");
      }
    } catch (UnknownHostException e) {
      fault(system, Keys.BIND_ADDRESS, config.bindAddress() + " is no known address");
    }
  }

  private void fault(Settings settings, Key<?> key, String text) {
    faults.add(new Fault(settings.line(key), key.name() + ": " + text));
  }
}
