package io.metaq.broker.core;

import io.metaq.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/** Turns selectors and noLocal into tests over records. */
final class Selectors {
  /** Null for a selector that selects everything. */
  static String normal(String selector) {
    return selector == null || selector.isBlank() ? null : selector;
  }

  /** Null if every record passes. */
  Predicate<ByteBuffer> compile(String selector) {
    if (selector == null) {
      return null;
    }
    throw new CoreException(ErrorCode.UNSUPPORTED, "selectors are not available yet");
  }
}
