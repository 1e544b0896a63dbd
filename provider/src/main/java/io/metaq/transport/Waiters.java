package io.metaq.transport;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The threads that wait for something from the broker: an answer, a message. While there is only
 * one it reads the socket itself. Outlives the links of its connection. Thread-safe.
 */
final class Waiters {
  private static final MethodHandle IS_VIRTUAL = findIsVirtual();

  private final AtomicInteger count = new AtomicInteger();
  private volatile LinkReader reader;

  void reader(LinkReader current) {
    reader = current;
  }

  /** Whether more than one thread waits, or more than the one that asks. */
  boolean several() {
    return count.get() > 1;
  }

  void enter() {
    count.incrementAndGet();
  }

  void leave() {
    count.decrementAndGet();
  }

  /**
   * Between {@link #enter} and {@link #leave}: reads, if that is the caller's turn, until something
   * has come to pass, the time is over or nothing has come for a few milliseconds.
   *
   * @return whether it has come to pass
   */
  boolean readUntil(BooleanSupplier done, long limitNanos) {
    LinkReader current = reader;
    return current == null || isVirtual()
        ? done.getAsBoolean()
        : current.readUntil(done, limitNanos);
  }

  /** An interrupt closes the socket that a virtual thread reads. */
  private static boolean isVirtual() {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException e) {
      return null; // before Java 21 there are none
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
