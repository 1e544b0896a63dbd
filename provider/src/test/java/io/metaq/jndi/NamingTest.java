package io.metaq.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.AbstractConnectionFactory;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.jms.MetaqQueue;
import io.metaq.jms.MetaqTopic;
import io.metaq.jms.MetaqXAConnectionFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;

/** Looks names up in contexts of our own only, which deserialize nothing. */
@SuppressWarnings("BanJNDI")
class NamingTest {

  private static InitialContext context(String... properties) throws NamingException {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, MetaqInitialContextFactory.class.getName());
    for (String property : properties) {
      int equals = property.indexOf('=');
      environment.put(property.substring(0, equals), property.substring(equals + 1));
    }
    return new InitialContext(environment);
  }

  @Test // C8
  void theShortestPropertiesGiveAFactoryAndAQueue() throws NamingException {
    InitialContext context =
        context("java.naming.provider.url=metaq://broker:9000", "queue.orders=shop.orders");
    assertThat(context.lookup("orders")).isEqualTo(new MetaqQueue("shop.orders"));
    MetaqConnectionFactory factory = (MetaqConnectionFactory) context.lookup("ConnectionFactory");
    assertThat(factory.getUrl()).isEqualTo("metaq://broker:9000");
    assertThat(context.lookup("ConnectionFactory")).isSameAs(factory);
    context.close();
  }

  @Test
  void everyDefaultFactoryIsThereWithoutAnyProperty() throws NamingException {
    InitialContext context = context();
    for (String name :
        List.of("ConnectionFactory", "QueueConnectionFactory", "TopicConnectionFactory")) {
      assertThat(context.lookup(name)).isInstanceOf(MetaqConnectionFactory.class);
    }
    for (String name :
        List.of("XAConnectionFactory", "XAQueueConnectionFactory", "XATopicConnectionFactory")) {
      assertThat(context.lookup(name)).isInstanceOf(MetaqXAConnectionFactory.class);
    }
  }

  @Test
  void namedFactoriesHaveTheirOwnUrlOrTheProviders() throws NamingException {
    InitialContext context =
        context(
            "java.naming.provider.url=metaq://one",
            "java.naming.security.principal=alice",
            "java.naming.security.credentials=secret",
            "connectionFactory.jms/near=",
            "connectionFactory.jms/far=metaq://two:1?clientId=x",
            "xaConnectionFactory.jms/xa=metaq://three");
    MetaqConnectionFactory near = (MetaqConnectionFactory) context.lookup("jms/near");
    assertThat(near.getUrl()).isEqualTo("metaq://one");
    assertThat(near.getUser()).isEqualTo("alice");
    assertThat(((MetaqConnectionFactory) context.lookup("jms/far")).getUrl()).contains("two:1");
    assertThat(((MetaqXAConnectionFactory) context.lookup("jms/xa")).getUrl()).contains("three");
  }

  @Test
  void destinationsCanBeLookedUpWithoutBeingNamed() throws NamingException {
    InitialContext context = context();
    assertThat(context.lookup("dynamicQueues/a/b.c")).isEqualTo(new MetaqQueue("a/b.c"));
    assertThat(context.lookup(new CompositeName("dynamicTopics/t"))).isEqualTo(new MetaqTopic("t"));
    Context queues = (Context) context.lookup("dynamicQueues");
    assertThat(queues.lookup("a")).isEqualTo(new MetaqQueue("a"));
  }

  @Test
  void namesOfSeveralPartsFormSubcontexts() throws NamingException {
    InitialContext context = context("queue.jms/shop/orders=o", "topic.jms/prices=p", "queue.q=q");
    Context jms = (Context) context.lookup("jms");
    assertThat(jms.lookup("prices")).isEqualTo(new MetaqTopic("p"));
    assertThat(jms.getNameInNamespace()).isEqualTo("jms");
    assertThat(((Context) jms.lookup("shop")).lookup("orders")).isEqualTo(new MetaqQueue("o"));
    List<String> names = new ArrayList<>();
    for (NameClassPair pair : Collections.list(context.list("jms"))) {
      names.add(pair.getName());
    }
    assertThat(names).containsExactly("prices", "shop");
    List<String> root = new ArrayList<>();
    for (Binding binding : Collections.list(context.listBindings(""))) {
      root.add(binding.getName());
      assertThat(binding.getObject()).isNotNull();
    }
    assertThat(root).contains("jms", "q", "ConnectionFactory").doesNotHaveDuplicates();
    assertThatThrownBy(() -> context.list("q")).isInstanceOf(NotContextException.class);
  }

  @Test
  void anUnknownNameIsNotFoundAndTheMessageListsTheKnown() throws NamingException {
    InitialContext context = context("queue.orders=o");
    assertThatThrownBy(() -> context.lookup("order"))
        .isInstanceOf(NameNotFoundException.class)
        .hasMessageContaining("orders");
  }

  @Test
  void theContextIsReadOnly() throws NamingException {
    InitialContext context = context("queue.orders=o");
    assertThatThrownBy(() -> context.bind("x", "y"))
        .isInstanceOf(OperationNotSupportedException.class);
    assertThatThrownBy(() -> context.unbind("orders"))
        .isInstanceOf(OperationNotSupportedException.class);
    assertThatThrownBy(() -> context.createSubcontext("s"))
        .isInstanceOf(OperationNotSupportedException.class);
  }

  @Test
  void allFaultsOfTheEnvironmentAreReportedAtOnce() {
    assertThatThrownBy(
            () ->
                context(
                    "queue.=x",
                    "topic.t=",
                    "connectionFactory.c=http://x",
                    "queue.a//b=x",
                    "java.naming.provider.url=tcp://x"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue. names nothing")
        .hasMessageContaining("topic.t has no physical name")
        .hasMessageContaining("connectionFactory.c")
        .hasMessageContaining("queue.a//b")
        .hasMessageContaining("java.naming.provider.url");
  }

  @Test
  void aDestinationComesBackFromItsReference() throws Exception {
    for (Object destination : new Object[] {new MetaqQueue("a"), new MetaqTopic("b")}) {
      Object back = NamingManager.getObjectInstance(destination, null, null, null);
      assertThat(back).isEqualTo(destination).isNotSameAs(destination);
    }
  }

  @Test
  void aFactoryComesBackFromItsReferenceWithAllItHolds() throws Exception {
    MetaqConnectionFactory plain = new MetaqConnectionFactory("metaq://a:1,b:2?prefetch=5");
    MetaqXAConnectionFactory xa = new MetaqXAConnectionFactory("metaq://a:1");
    for (AbstractConnectionFactory factory : new AbstractConnectionFactory[] {plain, xa}) {
      factory.setUser("u");
      factory.setPassword(" secret ");
      factory.setClientId("c");
      Object back = NamingManager.getObjectInstance(factory, null, null, null);
      assertThat(back).isEqualTo(factory).isNotSameAs(factory).hasSameClassAs(factory);
      assertThat(back.toString()).doesNotContain("secret");
    }
  }

  @Test
  void aContainerDeclaresResourcesByInterface() throws Exception {
    Reference queue = reference("jakarta.jms.Queue", "physicalName", "orders");
    assertThat(make(queue)).isEqualTo(new MetaqQueue("orders"));
    Reference factory = reference("jakarta.jms.ConnectionFactory", "url", "metaq://h");
    factory.add(new StringRefAddr("user", "u"));
    assertThat(((MetaqConnectionFactory) make(factory)).getUser()).isEqualTo("u");
    Reference xa = reference("jakarta.jms.XAConnectionFactory", "url", "metaq://h");
    assertThat(make(xa)).isInstanceOf(MetaqXAConnectionFactory.class);
    assertThat(make(reference("com.shop.Other", "url", "x"))).isNull();
    assertThat(new MetaqObjectFactory().getObjectInstance("no reference", null, null, null))
        .isNull();
    assertThatThrownBy(() -> make(reference("jakarta.jms.Queue", "name", "x")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("physicalName");
    assertThatThrownBy(() -> make(reference("jakarta.jms.ConnectionFactory", "url", "tcp://h")))
        .isInstanceOf(ConfigurationException.class);
  }

  private static Reference reference(String type, String address, String value) {
    return new Reference(type, new StringRefAddr(address, value));
  }

  private static Object make(Reference reference) throws NamingException {
    return new MetaqObjectFactory().getObjectInstance(reference, null, null, null);
  }
}
