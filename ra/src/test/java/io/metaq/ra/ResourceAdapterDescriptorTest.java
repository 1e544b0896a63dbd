package io.metaq.ra;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.ra.inbound.MetaqActivationSpec;
import io.metaq.ra.outbound.MetaqGenericManagedConnectionFactory;
import io.metaq.ra.outbound.MetaqQueueManagedConnectionFactory;
import io.metaq.ra.outbound.MetaqTopicManagedConnectionFactory;
import jakarta.resource.spi.Activation;
import jakarta.resource.spi.AdministeredObject;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.ConnectionDefinition;
import jakarta.resource.spi.Connector;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The deployment descriptor, the annotations and the beans say the same. */
class ResourceAdapterDescriptorTest {
  /** What the container sets by other ways than configuration. */
  private static final Set<String> NOT_CONFIGURED = Set.of("class", "resourceAdapter", "logWriter");

  private static Document descriptor() throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new File(System.getProperty("ra.descriptor")));
  }

  private static List<Element> elements(Element in, String name) {
    NodeList nodes = in.getElementsByTagName(name);
    List<Element> found = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      found.add((Element) nodes.item(i));
    }
    return found;
  }

  private static String text(Element in, String name) {
    return elements(in, name).get(0).getTextContent().trim();
  }

  private static Element parentOf(Document document, String classElement, Class<?> type) {
    return elements(document.getDocumentElement(), classElement).stream()
        .filter(element -> element.getTextContent().trim().equals(type.getName()))
        .map(element -> (Element) element.getParentNode())
        .findFirst()
        .orElseThrow();
  }

  private static TreeMap<String, String> described(Element of) {
    TreeMap<String, String> properties = new TreeMap<>();
    for (Element property : elements(of, "config-property")) {
      if (property.getParentNode() == of) {
        boolean secret = !elements(property, "config-property-confidential").isEmpty();
        properties.put(
            text(property, "config-property-name"),
            text(property, "config-property-type") + (secret ? ", confidential" : ""));
      }
    }
    return properties;
  }

  private static TreeMap<String, String> beanProperties(Class<?> type) throws Exception {
    TreeMap<String, String> properties = new TreeMap<>();
    for (PropertyDescriptor property : Introspector.getBeanInfo(type).getPropertyDescriptors()) {
      if (!NOT_CONFIGURED.contains(property.getName()) && property.getWriteMethod() != null) {
        ConfigProperty said = property.getWriteMethod().getAnnotation(ConfigProperty.class);
        properties.put(
            property.getName(),
            property.getPropertyType().getName()
                + (said != null && said.confidential() ? ", confidential" : ""));
      }
    }
    return properties;
  }

  @Test
  void theDescriptorIsOfVersion21CompleteAndNamesTheVersionOfTheBuild() throws Exception {
    Element root = descriptor().getDocumentElement();

    assertThat(root.getAttribute("version")).isEqualTo("2.1");
    assertThat(root.getAttribute("metadata-complete")).isEqualTo("true");
    assertThat(text(root, "resourceadapter-version"))
        .isEqualTo(System.getProperty("project.version"));
    assertThat(text(root, "reauthentication-support")).isEqualTo("false");
    assertThat(text(root, "authentication-mechanism-type")).isEqualTo("BasicPassword");
  }

  @Test
  void theAdapterIsDescribedAsItsAnnotationSays() throws Exception {
    Document document = descriptor();
    Connector connector = MetaqResourceAdapter.class.getAnnotation(Connector.class);
    Element root = document.getDocumentElement();

    assertThat(text(root, "transaction-support"))
        .isEqualTo(connector.transactionSupport().toString());
    assertThat(text(root, "vendor-name")).isEqualTo(connector.vendorName());
    assertThat(text(root, "eis-type")).isEqualTo(connector.eisType());
    assertThat(described(parentOf(document, "resourceadapter-class", MetaqResourceAdapter.class)))
        .isEqualTo(beanProperties(MetaqResourceAdapter.class));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        MetaqGenericManagedConnectionFactory.class,
        MetaqQueueManagedConnectionFactory.class,
        MetaqTopicManagedConnectionFactory.class
      })
  void eachConnectionFactoryIsDescribedAsItsAnnotationSays(Class<?> factory) throws Exception {
    Element described = parentOf(descriptor(), "managedconnectionfactory-class", factory);
    ConnectionDefinition said = factory.getAnnotation(ConnectionDefinition.class);

    assertThat(text(described, "connectionfactory-interface"))
        .isEqualTo(said.connectionFactory().getName());
    assertThat(text(described, "connectionfactory-impl-class"))
        .isEqualTo(said.connectionFactoryImpl().getName());
    assertThat(text(described, "connection-interface")).isEqualTo(said.connection().getName());
    assertThat(text(described, "connection-impl-class")).isEqualTo(said.connectionImpl().getName());
    assertThat(said.connectionFactory()).isAssignableFrom(said.connectionFactoryImpl());
    assertThat(said.connection()).isAssignableFrom(said.connectionImpl());
    assertThat(described(described)).isEqualTo(beanProperties(factory));
  }

  @Test
  void theActivationSpecIsDescribedAsItsAnnotationSays() throws Exception {
    Element described = parentOf(descriptor(), "activationspec-class", MetaqActivationSpec.class);
    Activation said = MetaqActivationSpec.class.getAnnotation(Activation.class);

    assertThat(text((Element) described.getParentNode(), "messagelistener-type"))
        .isEqualTo(said.messageListeners()[0].getName());
    assertThat(described(described)).isEqualTo(beanProperties(MetaqActivationSpec.class));
    assertThat(described(described))
        .containsKeys(
            "destinationLookup",
            "connectionFactoryLookup",
            "acknowledgeMode",
            "messageSelector",
            "destinationType",
            "subscriptionDurability",
            "clientId",
            "subscriptionName");
  }

  @ParameterizedTest
  @ValueSource(classes = {AdminQueue.class, AdminTopic.class})
  void eachAdministeredObjectIsDescribedAsItsAnnotationSays(Class<?> type) throws Exception {
    Element described = parentOf(descriptor(), "adminobject-class", type);

    assertThat(text(described, "adminobject-interface"))
        .isEqualTo(
            type.getAnnotation(AdministeredObject.class).adminObjectInterfaces()[0].getName());
    assertThat(described(described)).isEqualTo(beanProperties(type));
  }
}
