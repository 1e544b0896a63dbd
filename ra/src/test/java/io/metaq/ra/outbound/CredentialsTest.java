package io.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.broker.security.UserStore;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.security.PasswordCredential;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Container- and application-managed sign-on (Connectors 10). */
class CredentialsTest {
  @TempDir Path directory;

  private EmbeddedBroker broker;
  private MetaqGenericManagedConnectionFactory factory;

  @BeforeEach
  void start() throws Exception {
    Path users = directory.resolve("users");
    Files.createFile(users);
    UserStore.load(users)
        .with("jane", "right".toCharArray())
        .with("joe", "also right".toCharArray())
        .save(users);
    broker =
        EmbeddedBroker.builder()
            .dataDirectory(directory.resolve("data"))
            .port(0)
            .users(users)
            .start();
    factory = new MetaqGenericManagedConnectionFactory();
    factory.setServerUrl(broker.url());
  }

  @AfterEach
  void end() {
    broker.close();
  }

  private Subject subject(String user, String password) {
    PasswordCredential credential = new PasswordCredential(user, password.toCharArray());
    credential.setManagedConnectionFactory(factory);
    return new Subject(true, Set.of(), Set.of(), Set.of(credential));
  }

  @Test
  void theContainersCredentialGoesBeforeTheRequestAndThatBeforeTheFactory() throws Exception {
    factory.setUserName("nobody");
    factory.setPassword("wrong");
    assertThatThrownBy(() -> factory.createManagedConnection(null, null))
        .isInstanceOf(SecurityException.class)
        .hasMessageContaining("nobody");

    ManagedConnection byRequest =
        factory.createManagedConnection(null, new Credentials("joe", "also right"));
    ManagedConnection bySubject =
        factory.createManagedConnection(
            subject("jane", "right"), new Credentials("nobody", "wrong"));

    assertThat(byRequest.getMetaData().getUserName()).isEqualTo("joe");
    assertThat(bySubject.getMetaData().getUserName()).isEqualTo("jane");
    assertThat(
            factory.matchManagedConnections(
                Set.of(byRequest, bySubject), subject("jane", "right"), null))
        .isSameAs(bySubject);
    byRequest.destroy();
    bySubject.destroy();
  }

  @Test
  void aCredentialOfAnotherFactoryIsNotUsed() throws Exception {
    PasswordCredential credential = new PasswordCredential("joe", "also right".toCharArray());
    credential.setManagedConnectionFactory(new MetaqTopicManagedConnectionFactory());
    Subject subject = new Subject(true, Set.of(), Set.of(), Set.of(credential));

    assertThatThrownBy(() -> factory.createManagedConnection(subject, null))
        .isInstanceOf(SecurityException.class);
  }

  @Test
  void aRefusedUserIsASecurityExceptionForTheApplication() throws Exception {
    RaConnectionFactory connections = (RaConnectionFactory) factory.createConnectionFactory();

    assertThatThrownBy(() -> connections.createConnection("jane", "wrong"))
        .isInstanceOf(JMSSecurityException.class);
    try (JMSContext context = connections.createContext("jane", "right")) {
      assertThat(context.createTextMessage()).isNotNull();
    }
  }
}
