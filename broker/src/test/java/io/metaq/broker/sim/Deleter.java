package io.metaq.broker.sim;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import java.util.Random;

/** Deletes a queue now and then; whoever sends to it next creates it again. */
final class Deleter implements SimClient.Actor {
  private final SimClient client;
  private final Random random;
  private final Model model;
  private final String queue;
  private boolean waiting;

  Deleter(SimClient client, Random random, Model model, String queue) {
    this.client = client;
    this.random = random;
    this.model = model;
    this.queue = queue;
  }

  @Override
  public void connected() {
    waiting = false;
  }

  @Override
  public void lost() {
    waiting = false;
  }

  @Override
  public boolean act() {
    if (waiting || random.nextInt(20) != 0) {
      return false;
    }
    waiting = true;
    Model.Deletion deletion = model.deleting(queue);
    client.ask(
        new Delete(DestinationKind.QUEUE, queue),
        answer -> observed(deletion, answer),
        answer -> waiting = false);
    return true;
  }

  private void observed(Model.Deletion deletion, Frame answer) {
    if (answer instanceof Ok) {
      deletion.confirmed();
    } else if (!(answer instanceof Failure failure)
        || failure.code() != ErrorCode.INVALID_DESTINATION) {
      throw new Model.Broken("deleting " + queue + " was answered by " + answer);
    }
  }
}
