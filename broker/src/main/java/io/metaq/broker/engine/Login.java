package io.metaq.broker.engine;

import io.metaq.wire.ConnectionFrames.Hello;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides who may log in. Asked outside the core, since checking a password takes long on purpose
 * and may read a file.
 */
@FunctionalInterface
public interface Login {

  /** Lets everyone in. */
  Login OPEN = (hello, answer) -> answer.accept(Optional.empty());

  /**
   * @param answer gets, on the loop, why the client is turned away, or empty
   */
  void check(Hello hello, Consumer<Optional<String>> answer);
}
