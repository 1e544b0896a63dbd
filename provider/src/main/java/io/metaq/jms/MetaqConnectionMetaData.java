package io.metaq.jms;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** What a connection says of this provider. */
final class MetaqConnectionMetaData implements ConnectionMetaData {
  private static final int MAJOR = 1;
  private static final int MINOR = 0;

  @Override
  public String getJMSVersion() {
    return "3.1";
  }

  @Override
  public int getJMSMajorVersion() {
    return 3;
  }

  @Override
  public int getJMSMinorVersion() {
    return 1;
  }

  @Override
  public String getJMSProviderName() {
    return "MetaQ";
  }

  @Override
  public String getProviderVersion() {
    return MAJOR + "." + MINOR;
  }

  @Override
  public int getProviderMajorVersion() {
    return MAJOR;
  }

  @Override
  public int getProviderMinorVersion() {
    return MINOR;
  }

  @Override
  public Enumeration<String> getJMSXPropertyNames() {
    return Collections.enumeration(
        List.of(
            PropertyNames.GROUP_ID, PropertyNames.GROUP_SEQUENCE, PropertyNames.DELIVERY_COUNT));
  }
}
