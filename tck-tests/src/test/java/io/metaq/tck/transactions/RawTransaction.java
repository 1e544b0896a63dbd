package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.Commit;
import java.io.IOException;
import java.util.List;

/** A local transaction in bare frames. */
final class RawTransaction implements AutoCloseable {
  private final RawClient client;

  RawTransaction(String url) throws IOException {
    client = new RawClient(url);
  }

  RawClient client() {
    return client;
  }

  void commitOne(String queue, long transaction) throws IOException {
    Resolved target = (Resolved) client.ask(new Resolve(DestinationKind.QUEUE, queue));
    client.oneWay(
        new Send(
            1,
            1,
            target.destinationId(),
            transaction,
            0,
            0,
            0,
            Content.build(RawMessages.block(client.id()), null)));
    assertThat(client.ask(new Commit(1, transaction, List.of()))).isEqualTo(Ok.INSTANCE);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
