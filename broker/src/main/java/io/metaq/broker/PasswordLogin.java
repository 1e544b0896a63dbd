package io.metaq.broker;

import io.metaq.broker.engine.EngineThreads;
import io.metaq.broker.engine.Login;
import io.metaq.broker.security.Authenticator;
import io.metaq.wire.ConnectionFrames.Hello;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks names and passwords on a reader thread, as soon as there are users at all. */
final class PasswordLogin implements Login {
  private static final Logger LOG = LoggerFactory.getLogger(PasswordLogin.class);

  private final Authenticator authenticator;
  private final EngineThreads threads;

  PasswordLogin(Authenticator authenticator, EngineThreads threads) {
    this.authenticator = authenticator;
    this.threads = threads;
  }

  @Override
  public void check(Hello hello, Consumer<Optional<String>> answer) {
    threads
        .readers()
        .execute(
            () -> {
              Optional<String> refusal = refusal(hello);
              threads.loop().execute(() -> answer.accept(refusal));
            });
  }

  private Optional<String> refusal(Hello hello) {
    try {
      if (!authenticator.required()) {
        return Optional.empty();
      }
      if (hello.user() == null || hello.password() == null) {
        return Optional.of("this broker asks for a user name and a password");
      }
      return authenticator.accepts(hello.user(), hello.password().toCharArray())
          ? Optional.empty()
          : Optional.of("the user name or the password is wrong");
    } catch (IOException e) {
      LOG.error("nobody can log in: the users file cannot be read: {}", e.toString());
      return Optional.of("the broker cannot check passwords at present");
    }
  }
}
