package io.metaq.containers;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The deployed application, asked over HTTP. */
final class App {
  private static final String ADDRESS = "http://127.0.0.1:8080/app/app";
  private final HttpClient client = HttpClient.newHttpClient();

  /** Does a command, given as names and values in turn. */
  String ask(String command, String... parameters) throws IOException, InterruptedException {
    StringBuilder query = new StringBuilder(ADDRESS).append("?do=").append(command);
    for (int i = 0; i < parameters.length; i += 2) {
      query
          .append('&')
          .append(parameters[i])
          .append('=')
          .append(URLEncoder.encode(parameters[i + 1], StandardCharsets.UTF_8));
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(query.toString())).timeout(Duration.ofMinutes(2)).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(command + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  /** What a bean, or a command, has written into the database. */
  List<String> rows(String bean) throws IOException, InterruptedException {
    String rows = ask("rows", "bean", bean);
    return rows.isEmpty() ? List.of() : Arrays.asList(rows.split(","));
  }
}
