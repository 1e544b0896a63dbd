package io.metaq.tck.harness;

import java.util.ServiceLoader;

/** Finds the product that the system property {@code provider} names. */
public final class Providers {

  private Providers() {}

  public static String selectedName() {
    return System.getProperty("provider", "metaq");
  }

  public static ProviderUnderTest selected() {
    String name = selectedName();
    return ServiceLoader.load(ProviderUnderTest.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("No product named '" + name + "' is plugged in"));
  }
}
