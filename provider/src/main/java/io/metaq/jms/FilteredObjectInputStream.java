package io.metaq.jms;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.Map;

/**
 * Deserializes under a policy, with the classes the caller sees: first the thread's context class
 * loader, as application servers set it, then the loader of this provider.
 */
final class FilteredObjectInputStream extends ObjectInputStream {

  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "char", char.class,
          "short", short.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class,
          "void", void.class);

  private final ClassLoader context = Thread.currentThread().getContextClassLoader();

  private String refusal = "";

  FilteredObjectInputStream(InputStream in, DeserializationPolicy policy, long length)
      throws IOException {
    super(in);
    // A filter of a stream replaces the one that the JVM was started with, which still has a say.
    ObjectInputFilter jvmWide = ObjectInputFilter.Config.getSerialFilter();
    setObjectInputFilter(
        info -> {
          if (jvmWide != null && jvmWide.checkInput(info) == ObjectInputFilter.Status.REJECTED) {
            refusal = " (refused by the filter of this JVM)";
            return ObjectInputFilter.Status.REJECTED;
          }
          if (DeserializationPolicy.isTooLarge(info, length)) {
            refusal = " (an array or a nesting out of proportion)";
            return ObjectInputFilter.Status.REJECTED;
          }
          if (info.serialClass() != null && !policy.permits(info.serialClass())) {
            refusal = " (" + info.serialClass().getName() + " is not allowed)";
            return ObjectInputFilter.Status.REJECTED;
          }
          return ObjectInputFilter.Status.ALLOWED;
        });
  }

  /** What the filter has refused, for an error message; empty if nothing. */
  String refusal() {
    return refusal;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
    Class<?> primitive = PRIMITIVES.get(description.getName());
    return primitive != null ? primitive : load(description.getName());
  }

  @Override
  protected Class<?> resolveProxyClass(String[] names) throws ClassNotFoundException {
    Class<?>[] interfaces = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      interfaces[i] = load(names[i]);
    }
    ClassLoader loader = context != null ? context : getClass().getClassLoader();
    try {
      return Proxy.newProxyInstance(loader, interfaces, (proxy, method, args) -> null).getClass();
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException("Cannot make a proxy of " + String.join(", ", names), e);
    }
  }

  private Class<?> load(String name) throws ClassNotFoundException {
    if (context != null) {
      try {
        return Class.forName(name, false, context);
      } catch (ClassNotFoundException e) {
        return loadFromProvider(name, e);
      }
    }
    return Class.forName(name, false, getClass().getClassLoader());
  }

  private Class<?> loadFromProvider(String name, ClassNotFoundException first)
      throws ClassNotFoundException {
    try {
      return Class.forName(name, false, getClass().getClassLoader());
    } catch (ClassNotFoundException e) {
      first.addSuppressed(e);
      throw first;
    }
  }
}
