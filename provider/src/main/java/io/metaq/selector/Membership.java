package io.metaq.selector;

import java.util.Set;

/**
 * The tests of one identifier: IS NULL, IN and LIKE.
 *
 * <p>IN and LIKE know strings only; any other value leaves them unknown, as NULL does, so that
 * their negations do not match such a message either.
 */
final class Membership {

  private Membership() {}

  /** IS NULL. */
  record IsNull(String identifier) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return Condition.of(context.value(identifier) == null);
    }
  }

  /** IN. */
  record In(String identifier, Set<String> members) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return context.value(identifier) instanceof String s
          ? Condition.of(members.contains(s))
          : UNKNOWN;
    }
  }

  /** LIKE. */
  record Like(String identifier, LikePattern pattern) implements Condition {
    @Override
    public int test(SelectorContext context) {
      return context.value(identifier) instanceof String s
          ? Condition.of(pattern.matches(s))
          : UNKNOWN;
    }
  }
}
