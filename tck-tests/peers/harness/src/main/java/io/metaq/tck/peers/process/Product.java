package io.metaq.tck.peers.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The products compared: where their jars are, how their brokers start, what their clients need.
 */
public enum Product {
  METAQ(
      "MetaQ",
      "io.metaq.jms.MetaqConnectionFactory",
      "io.metaq.jms.MetaqXAConnectionFactory",
      "metaq://127.0.0.1:%d") {
    @Override
    String classPath(Path project) throws IOException {
      return distribution(project).resolve("lib").resolve("*").toString();
    }

    @Override
    List<String> brokerOptions(Path project) throws IOException {
      return List.of(
          "-Dlogback.configurationFile="
              + distribution(project).resolve("conf").resolve("logback.xml"),
          "-Dmetaq.log=WARN");
    }

    @Override
    List<String> brokerCommand(Path data, int port) throws IOException {
      Path file = data.resolve("server.ini");
      Files.writeString(
          file,
          "[system]\nserverPort=%d\ndataPath=%s\n[zookeeper]\nzk.zkEnable=false\n"
              .formatted(port, data.resolve("meta")),
          StandardCharsets.UTF_8);
      return List.of("io.metaq.broker.cli.Main", "server", "--config", file.toString());
    }

    private Path distribution(Path project) throws IOException {
      Path target = project.resolve("broker").resolve("target");
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(target.toRealPath(), "metaq-*-bin")) {
        for (Path folder : found) {
          try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder, "metaq-*")) {
            return inside.iterator().next();
          }
        }
      }
      throw new IOException("no distribution of MetaQ in " + target + "; build it with 'package'");
    }
  },
  ARTEMIS(
      "Artemis",
      "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory",
      "org.apache.activemq.artemis.jms.client.ActiveMQXAConnectionFactory",
      "tcp://127.0.0.1:%d") {
    @Override
    List<String> brokerCommand(Path data, int port) {
      return List.of(
          "io.metaq.tck.peers.artemis.ArtemisMain", data.toString(), String.valueOf(port));
    }
  },
  CLASSIC(
      "Classic",
      "org.apache.activemq.ActiveMQConnectionFactory",
      "org.apache.activemq.ActiveMQXAConnectionFactory",
      "tcp://127.0.0.1:%d?wireFormat.maxFrameSize=268435456") {
    @Override
    List<String> brokerCommand(Path data, int port) {
      return List.of(
          "io.metaq.tck.peers.classic.ClassicMain", data.toString(), String.valueOf(port));
    }
  };

  private final String title;
  private final String factory;
  private final String xaFactory;
  private final String url;

  Product(String title, String factory, String xaFactory, String url) {
    this.title = title;
    this.factory = factory;
    this.xaFactory = xaFactory;
    this.url = url;
  }

  /** For people. */
  public String title() {
    return title;
  }

  String classPath(Path project) throws IOException {
    Path target =
        project
            .resolve("tck-tests/peers")
            .resolve(name().toLowerCase(Locale.ROOT))
            .resolve("target");
    if (!Files.exists(target.resolve("peer.jar"))) {
      throw new IOException("no " + title + " in " + target + "; build it with -Ppeers 'package'");
    }
    return target.resolve("peer.jar") + ":" + target.resolve("lib").resolve("*");
  }

  List<String> brokerOptions(Path project) throws IOException {
    return List.of();
  }

  /** Main class and arguments. */
  abstract List<String> brokerCommand(Path data, int port) throws IOException;

  List<String> clientArguments(int port) {
    return List.of(factory, xaFactory, url.formatted(port));
  }

  /** The version, as the file names of its jars tell. */
  public String version(Path project) throws IOException {
    String prefix =
        switch (this) {
          case METAQ -> "metaq-broker-";
          case ARTEMIS -> "artemis-server-";
          case CLASSIC -> "activemq-broker-";
        };
    String path = classPath(project);
    Path lib = Path.of(path.substring(path.lastIndexOf(':') + 1)).getParent();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, prefix + "*.jar")) {
      String name = jars.iterator().next().getFileName().toString();
      return name.substring(prefix.length(), name.length() - ".jar".length());
    }
  }
}
