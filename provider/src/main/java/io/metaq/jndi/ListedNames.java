package io.metaq.jndi;

import java.util.Iterator;
import javax.naming.NamingEnumeration;

/** A listing of a context, over an iterator. */
record ListedNames<T>(Iterator<T> iterator) implements NamingEnumeration<T> {

  @Override
  public T next() {
    return iterator.next();
  }

  @Override
  public boolean hasMore() {
    return iterator.hasNext();
  }

  @Override
  public boolean hasMoreElements() {
    return iterator.hasNext();
  }

  @Override
  public T nextElement() {
    return iterator.next();
  }

  @Override
  public void close() {
    // Holds nothing that needs closing.
  }
}
