package io.metaq.broker.core.tx;

/** What a branch has gathered. Its rules only ask whether that is anything at all. */
public interface Work {
  boolean isEmpty();
}
