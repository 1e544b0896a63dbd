package io.metaq.tck.harness;

/** Something around the tests failed, not what they judge. */
public final class HarnessException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public HarnessException(String message, Throwable cause) {
    super(message, cause);
  }
}
