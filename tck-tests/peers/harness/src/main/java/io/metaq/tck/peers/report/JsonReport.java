package io.metaq.tck.peers.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaq.tck.peers.Workload;
import io.metaq.tck.peers.process.Contender;
import io.metaq.tck.peers.process.Product;

/** Every round's figures, for programs. */
public final class JsonReport {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonReport() {}

  /** The run and all its rounds as one document. */
  public static String of(Run run, Results results) throws JsonProcessingException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("day", run.day().toString()).put("machine", run.machine());
    run.versions()
        .forEach((product, version) -> root.withObject("/versions").put(product.title(), version));
    root.set("settings", MAPPER.valueToTree(run.settings()));
    root.set("disk", MAPPER.valueToTree(results.probes()));
    for (Workload workload : results.workloads()) {
      ObjectNode products = root.withObject("/workloads").putObject(workload.label());
      for (Product product : results.products(workload)) {
        ArrayNode rounds = products.putArray(product.title());
        for (Contender.Outcome outcome : results.rounds(workload, product)) {
          ObjectNode round = rounds.addObject();
          outcome.figures().forEach((figure, value) -> round.put(figure.name(), value));
          outcome.failure().ifPresent(text -> round.put("failed", text));
        }
      }
    }
    return MAPPER.writeValueAsString(root) + "\n";
  }
}
