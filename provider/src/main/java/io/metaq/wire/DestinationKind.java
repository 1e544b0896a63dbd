package io.metaq.wire;

/** What a name stands for; fixed when the destination is created. */
public enum DestinationKind {
  QUEUE,
  TOPIC,
  TEMPORARY_QUEUE,
  TEMPORARY_TOPIC;

  private static final DestinationKind[] VALUES = values();

  public boolean isQueue() {
    return this == QUEUE || this == TEMPORARY_QUEUE;
  }

  public boolean isTemporary() {
    return this == TEMPORARY_QUEUE || this == TEMPORARY_TOPIC;
  }

  public static DestinationKind of(int code) {
    if (code < 0 || code >= VALUES.length) {
      throw new WireException("unknown destination kind " + code);
    }
    return VALUES[code];
  }
}
