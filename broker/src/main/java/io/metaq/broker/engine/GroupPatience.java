package io.metaq.broker.engine;

/**
 * Decides whether a force is worth putting off until the loop has looked at its sockets once more:
 * when lately more answers shared a force than wait now, the others are likely on their way. Looks
 * at counts only, so that one sender alone never waits.
 */
final class GroupPatience {
  private static final int MOST_PASSES = 4;
  private static final double WEIGHT = 0.2;

  /** An average from above never quite comes down to one. */
  private static final double TOLERANCE = 0.1;

  private double usual;
  private int passes;

  /**
   * @param waiting answers that wait for the force
   */
  boolean othersAreComing(int waiting) {
    if (waiting + TOLERANCE < usual && passes < MOST_PASSES) {
      passes++;
      return true;
    }
    passes = 0;
    usual += (waiting - usual) * WEIGHT;
    return false;
  }
}
