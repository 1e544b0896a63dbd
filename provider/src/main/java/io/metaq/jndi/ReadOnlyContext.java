package io.metaq.jndi;

import io.metaq.jms.MetaqQueue;
import io.metaq.jms.MetaqTopic;
import java.util.Hashtable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;

/**
 * A context over a fixed map of names.
 *
 * <p>Subcontexts are views of the same map below a prefix; nothing is ever bound.
 */
final class ReadOnlyContext implements Context {

  private static final String DYNAMIC_QUEUES = "dynamicQueues/";
  private static final String DYNAMIC_TOPICS = "dynamicTopics/";

  private final Hashtable<Object, Object> environment = new Hashtable<>();
  private final Map<String, Object> bindings;

  /** Where this context stands: empty, or a path that ends in a slash. */
  private final String prefix;

  ReadOnlyContext(Hashtable<?, ?> environment, Map<String, Object> bindings, String prefix) {
    this.environment.putAll(environment);
    this.bindings = bindings;
    this.prefix = prefix;
  }

  @Override
  public Object lookup(String name) throws NamingException {
    return find(name);
  }

  private Object find(String name) throws NamingException {
    String path = prefix + Objects.requireNonNull(name, "name");
    if (name.isEmpty()) {
      return new ReadOnlyContext(environment, bindings, prefix);
    }
    Object bound = bindings.get(path);
    if (bound != null) {
      return bound;
    }
    if (isContext(path + "/")) {
      return new ReadOnlyContext(environment, bindings, path + "/");
    }
    try {
      if (path.startsWith(DYNAMIC_QUEUES)) {
        return new MetaqQueue(path.substring(DYNAMIC_QUEUES.length()));
      }
      if (path.startsWith(DYNAMIC_TOPICS)) {
        return new MetaqTopic(path.substring(DYNAMIC_TOPICS.length()));
      }
    } catch (IllegalArgumentException e) {
      InvalidNameException invalid = new InvalidNameException(e.getMessage());
      invalid.setRootCause(e);
      throw invalid;
    }
    throw new NameNotFoundException(
        "'"
            + path
            + "' is not bound; bound are "
            + String.join(", ", bindings.keySet())
            + ", and any destination as dynamicQueues/NAME or dynamicTopics/NAME");
  }

  private boolean isContext(String path) {
    return path.equals(DYNAMIC_QUEUES)
        || path.equals(DYNAMIC_TOPICS)
        || bindings.keySet().stream().anyMatch(name -> name.startsWith(path));
  }

  @Override
  public Object lookup(Name name) throws NamingException {
    return find(name.toString());
  }

  @Override
  public Object lookupLink(String name) throws NamingException {
    return find(name);
  }

  @Override
  public Object lookupLink(Name name) throws NamingException {
    return find(name.toString());
  }

  /** The names directly in a context, each with its object or subcontext. */
  private Map<String, Object> members(String name) throws NamingException {
    if (!(find(name) instanceof ReadOnlyContext context)) {
      throw new NotContextException("'" + prefix + name + "' is not a context");
    }
    Map<String, Object> members = new TreeMap<>();
    context.bindings.forEach(
        (path, object) -> {
          if (path.startsWith(context.prefix)) {
            String rest = path.substring(context.prefix.length());
            int slash = rest.indexOf('/');
            String member = slash < 0 ? rest : rest.substring(0, slash);
            Object value =
                slash < 0
                    ? object
                    : new ReadOnlyContext(environment, bindings, context.prefix + member + "/");
            members.put(member, value);
          }
        });
    return members;
  }

  @Override
  public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
    return pairs(name);
  }

  private NamingEnumeration<NameClassPair> pairs(String name) throws NamingException {
    return new ListedNames<>(
        members(name).entrySet().stream()
            .map(e -> new NameClassPair(e.getKey(), e.getValue().getClass().getName()))
            .iterator());
  }

  @Override
  public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
    return pairs(name.toString());
  }

  @Override
  public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
    return objects(name);
  }

  private NamingEnumeration<Binding> objects(String name) throws NamingException {
    return new ListedNames<>(
        members(name).entrySet().stream()
            .map(e -> new Binding(e.getKey(), e.getValue()))
            .iterator());
  }

  @Override
  public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
    return objects(name.toString());
  }

  @Override
  public NameParser getNameParser(String name) {
    return CompositeName::new;
  }

  @Override
  public NameParser getNameParser(Name name) {
    return CompositeName::new;
  }

  @Override
  public String composeName(String name, String prefix) throws NamingException {
    return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
  }

  @Override
  public Name composeName(Name name, Name prefix) throws InvalidNameException {
    return ((Name) prefix.clone()).addAll(name);
  }

  @Override
  public Object addToEnvironment(String name, Object value) {
    return environment.put(name, value);
  }

  @Override
  public Object removeFromEnvironment(String name) {
    return environment.remove(name);
  }

  @Override
  public Hashtable<?, ?> getEnvironment() {
    return new Hashtable<>(environment);
  }

  @Override
  public String getNameInNamespace() {
    return prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1);
  }

  @Override
  public void close() {
    // Holds nothing that needs closing.
  }

  private static OperationNotSupportedException readOnly() {
    return new OperationNotSupportedException(
        "This context is read-only; name queues and factories in its environment instead");
  }

  @Override
  public void bind(Name name, Object object) throws NamingException {
    throw readOnly();
  }

  @Override
  public void bind(String name, Object object) throws NamingException {
    throw readOnly();
  }

  @Override
  public void rebind(Name name, Object object) throws NamingException {
    throw readOnly();
  }

  @Override
  public void rebind(String name, Object object) throws NamingException {
    throw readOnly();
  }

  @Override
  public void unbind(Name name) throws NamingException {
    throw readOnly();
  }

  @Override
  public void unbind(String name) throws NamingException {
    throw readOnly();
  }

  @Override
  public void rename(Name oldName, Name newName) throws NamingException {
    throw readOnly();
  }

  @Override
  public void rename(String oldName, String newName) throws NamingException {
    throw readOnly();
  }

  @Override
  public void destroySubcontext(Name name) throws NamingException {
    throw readOnly();
  }

  @Override
  public void destroySubcontext(String name) throws NamingException {
    throw readOnly();
  }

  @Override
  public Context createSubcontext(Name name) throws NamingException {
    throw readOnly();
  }

  @Override
  public Context createSubcontext(String name) throws NamingException {
    throw readOnly();
  }
}
