package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes journal entries in order. */
@FunctionalInterface
public interface EntryReader {

  /**
   * @param index of the entry, dense, from 1
   * @param epoch of the leader that wrote it
   * @param payload the entry's bytes, valid only during the call
   */
  void entry(long index, long epoch, ByteBuffer payload) throws IOException;
}
