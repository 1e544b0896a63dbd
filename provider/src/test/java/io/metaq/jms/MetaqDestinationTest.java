package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jndi.MetaqObjectFactory;
import io.metaq.wire.DestinationKind;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import javax.naming.NamingException;
import org.junit.jupiter.api.Test;

class MetaqDestinationTest {

  private static final MetaqDestination[] ALL = {
    new MetaqQueue("n"),
    new MetaqTopic("n"),
    new MetaqTemporaryQueue("n", TemporaryOwner.ANOTHER_CONNECTION),
    new MetaqTemporaryTopic("n", TemporaryOwner.ANOTHER_CONNECTION),
  };

  @Test
  void destinationsAreEqualWhenTheirKindAndNameAre() {
    for (MetaqDestination a : ALL) {
      for (MetaqDestination b : ALL) {
        boolean same = a instanceof Queue == b instanceof Queue;
        assertThat(a.equals(b)).as("%s %s", a.getClass(), b.getClass()).isEqualTo(same);
        assertThat(!same || a.hashCode() == b.hashCode()).isTrue();
      }
      assertThat(a).isNotEqualTo(MetaqDestination.of(a.kind(), "m"));
      assertThat(a.equals((Object) "n")).isFalse();
    }
  }

  @Test
  void aDestinationSurvivesSerialization() throws Exception {
    for (MetaqDestination destination : ALL) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(destination);
      }
      Object read =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
      assertThat(read).isEqualTo(destination).hasSameClassAs(destination);
      if (read instanceof MetaqTemporaryQueue temporary) {
        assertThatThrownBy(temporary::delete).isInstanceOf(JMSException.class);
      }
    }
  }

  @Test
  void optionsForConsumersStandBehindTheNameAndAreNoPartOfIt() throws Exception {
    MetaqQueue queue = new MetaqQueue("orders?consumer.priority=-10&consumer.exclusive=true");
    assertThat(queue.getQueueName()).isEqualTo("orders");
    assertThat(queue).isEqualTo(new MetaqQueue("orders"));
    assertThat(queue.consumerOptions()).isEqualTo(new ConsumerOptions(-10, true));
    Object bound =
        new MetaqObjectFactory().getObjectInstance(queue.getReference(), null, null, null);
    assertThat(((MetaqQueue) bound).consumerOptions()).isEqualTo(queue.consumerOptions());
    assertThat(new MetaqTopic("t?consumer.priority=1000").consumerOptions().priorityOr(3))
        .isEqualTo(1000);
    assertThat(new MetaqTopic("t").consumerOptions().priorityOr(3)).isEqualTo(3);
    assertThat(MetaqDestination.of(DestinationKind.QUEUE, "of?others").name())
        .isEqualTo("of?others");
  }

  @Test
  void everyFaultOfTheOptionsBehindANameIsNamed() {
    assertThatThrownBy(
            () -> new MetaqQueue("q?consumer.priority=1001&consumer.exclusive=yes&prefetch=1&"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("consumer.priority=1001: must be within -1000..1000")
        .hasMessageContaining("consumer.exclusive=yes: must be true or false")
        .hasMessageContaining("unknown option 'prefetch=1'")
        .hasMessageContaining("unknown option ''");
    assertThatThrownBy(() -> new MetaqTopic("?consumer.priority=1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTemporaryDestinationCannotBeBound() throws NamingException {
    assertThat(ALL[0].getReference().get(MetaqDestination.NAME_ADDRESS).getContent())
        .isEqualTo("n");
    assertThatThrownBy(ALL[2]::getReference).isInstanceOf(NamingException.class);
  }

  @Test
  void aDestinationWithoutNameDoesNotExist() {
    assertThatThrownBy(() -> new MetaqQueue("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MetaqTopic(null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MetaqDestination.map(null))
        .isInstanceOf(InvalidDestinationException.class);
    assertThatThrownBy(() -> MetaqDestination.map((Queue) () -> null))
        .isInstanceOf(InvalidDestinationException.class);
  }
}
