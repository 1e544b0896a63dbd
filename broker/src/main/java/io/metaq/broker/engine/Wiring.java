package io.metaq.broker.engine;

import io.metaq.broker.store.BodyRef;
import io.metaq.broker.store.JournalListener;
import io.metaq.wire.Frame;
import java.nio.ByteBuffer;

/**
 * Carries what the store's parts report to the engine. Stands apart because those parts have to
 * exist before the engine that is made of them.
 */
final class Wiring implements JournalListener, LogWriter.Listener, Bodies.Answers {
  private Engine engine;

  void connect(Engine made) {
    engine = made;
  }

  Engine engine() {
    return engine;
  }

  @Override
  public void onForced(long index) {
    engine.onForced(index);
  }

  @Override
  public void onFatal(Throwable cause) {
    engine.onFatal(cause);
  }

  @Override
  public void written(LogId log, long nextSequence) {
    engine.written(log, nextSequence);
  }

  @Override
  public void trouble(LogId log, String why) {
    engine.logTrouble(log, why);
  }

  @Override
  public void answer(int connection, int correlation, Frame frame) {
    engine.answer(connection, correlation, frame);
  }

  @Override
  public void progressed() {
    engine.progressed();
  }

  @Override
  public void extentRead(ByteBuffer bytes, String failure) {
    engine.extentRead(bytes, failure);
  }

  @Override
  public void sealed(long token, BodyRef ref, String failure) {
    engine.bodySealed(token, ref, failure);
  }
}
