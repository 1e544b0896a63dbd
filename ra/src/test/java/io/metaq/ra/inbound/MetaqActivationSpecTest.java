package io.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.resource.spi.InvalidPropertyException;
import java.beans.PropertyDescriptor;
import org.junit.jupiter.api.Test;

class MetaqActivationSpecTest {

  private static MetaqActivationSpec queueSpec() {
    MetaqActivationSpec spec = new MetaqActivationSpec();
    spec.setDestination("orders");
    spec.setDestinationType("jakarta.jms.Queue");
    return spec;
  }

  @Test
  void aMinimalBeanIsValidWithoutABroker() {
    assertThatCode(queueSpec()::validate).doesNotThrowAnyException();
  }

  @Test
  void everyWrongPropertyIsNamedAtOnce() {
    MetaqActivationSpec spec = new MetaqActivationSpec();
    spec.setDestinationType("javax.jms.Queue");
    spec.setAcknowledgeMode("Client-acknowledge");
    spec.setSubscriptionDurability("Sometimes");
    spec.setMaxSessions(0);
    spec.setMaxFailures(-1);
    spec.setPauseSeconds(-1);
    spec.setMessageSelector("colour = ");

    InvalidPropertyException invalid =
        catchThrowableOfType(InvalidPropertyException.class, spec::validate);

    assertThat(invalid.getInvalidPropertyDescriptors())
        .extracting(PropertyDescriptor::getName)
        .containsExactlyInAnyOrder(
            "destinationLookup",
            "destinationType",
            "acknowledgeMode",
            "subscriptionDurability",
            "maxSessions",
            "maxFailures",
            "pauseSeconds",
            "messageSelector");
    assertThat(invalid).hasMessageContaining("Client-acknowledge").hasMessageContaining("colour =");
  }

  @Test
  void aDurableSubscriptionNeedsANameAndATopic() {
    MetaqActivationSpec spec = queueSpec();
    spec.setSubscriptionDurability("Durable");

    InvalidPropertyException invalid =
        catchThrowableOfType(InvalidPropertyException.class, spec::validate);

    assertThat(invalid.getInvalidPropertyDescriptors())
        .extracting(PropertyDescriptor::getName)
        .containsExactlyInAnyOrder("subscriptionName", "subscriptionDurability");
  }

  @Test
  void theNamesOfPortedBeansMeanTheSame() {
    MetaqActivationSpec spec = queueSpec();
    spec.setMaxSession(3);
    spec.setUser("jane");

    assertThat(spec.getMaxSessions()).isEqualTo(3);
    assertThat(spec.getUserName()).isEqualTo("jane");
  }

  @Test
  void beansHaveIdentity() {
    assertThat(queueSpec()).isNotEqualTo(queueSpec());
  }
}
