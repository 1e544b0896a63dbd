package io.metaq.broker.core;

import java.util.function.ObjLongConsumer;

/**
 * Map from long keys to objects with open addressing. The core looks up an object per message and
 * direction; boxing keys and allocating nodes there would be a good part of the cost of a message.
 */
final class LongMap<V> {
  private static final int SMALLEST = 8;

  private long[] keys = new long[SMALLEST];
  private Object[] values = new Object[SMALLEST];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  private int slot(long key) {
    long mixed = key * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32) & keys.length - 1;
  }

  @SuppressWarnings("unchecked")
  V get(long key) {
    int at = slot(key);
    while (values[at] != null) {
      if (keys[at] == key) {
        return (V) values[at];
      }
      at = at + 1 & keys.length - 1;
    }
    return null;
  }

  /** Returns what stood there before, or null. */
  @SuppressWarnings("unchecked")
  V put(long key, V value) {
    int at = slot(key);
    while (values[at] != null) {
      if (keys[at] == key) {
        V before = (V) values[at];
        values[at] = value;
        return before;
      }
      at = at + 1 & keys.length - 1;
    }
    keys[at] = key;
    values[at] = value;
    if (++size * 3 > keys.length * 2) {
      resize(keys.length * 2);
    }
    return null;
  }

  /** Returns what stood there, or null. */
  @SuppressWarnings("unchecked")
  V remove(long key) {
    int at = slot(key);
    while (values[at] != null) {
      if (keys[at] == key) {
        V before = (V) values[at];
        close(at);
        size--;
        if (keys.length > 64 && size * 8 < keys.length) {
          resize(keys.length / 2);
        }
        return before;
      }
      at = at + 1 & keys.length - 1;
    }
    return null;
  }

  /** Moves later entries of the probe run back, so that no tombstones gather. */
  private void close(int hole) {
    int mask = keys.length - 1;
    int at = hole;
    int free = hole;
    while (true) {
      at = at + 1 & mask;
      if (values[at] == null) {
        break;
      }
      int home = slot(keys[at]);
      if ((at - home & mask) >= (at - free & mask)) {
        keys[free] = keys[at];
        values[free] = values[at];
        free = at;
      }
    }
    values[free] = null;
  }

  private void resize(int capacity) {
    long[] oldKeys = keys;
    Object[] oldValues = values;
    keys = new long[capacity];
    values = new Object[capacity];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != null) {
        int at = slot(oldKeys[i]);
        while (values[at] != null) {
          at = at + 1 & capacity - 1;
        }
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }

  void clear() {
    keys = new long[SMALLEST];
    values = new Object[SMALLEST];
    size = 0;
  }

  /**
   * In no order that means anything: sort {@link #keys} where order shows outside. The map must not
   * change meanwhile.
   */
  @SuppressWarnings("unchecked")
  void forEach(ObjLongConsumer<V> action) {
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != null) {
        action.accept((V) values[i], keys[i]);
      }
    }
  }

  /** All keys, ascending. */
  long[] keys() {
    long[] all = new long[size];
    int n = 0;
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != null) {
        all[n++] = keys[i];
      }
    }
    java.util.Arrays.sort(all);
    return all;
  }
}
