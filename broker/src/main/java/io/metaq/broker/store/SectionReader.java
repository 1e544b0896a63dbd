package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the objects of a snapshot. */
@FunctionalInterface
public interface SectionReader {

  /**
   * @param payload valid only during the call
   */
  void section(long key, ByteBuffer payload) throws IOException;
}
