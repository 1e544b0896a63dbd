package io.metaq.broker.core.tx;

/**
 * Numbers of the X/Open XA specification, as {@code javax.transaction.xa} has them. Here because
 * the core depends on no API of its clients.
 */
public final class Xa {
  public static final int OK = 0;
  public static final int RDONLY = 3;
  public static final int HEURRB = 6;
  public static final int HEURCOM = 7;
  public static final int RBROLLBACK = 100;
  public static final int RBCOMMFAIL = 101;
  public static final int RBOTHER = 104;
  public static final int RBTIMEOUT = 106;
  public static final int RMERR = -3;
  public static final int NOTA = -4;
  public static final int INVAL = -5;
  public static final int PROTO = -6;
  public static final int RMFAIL = -7;
  public static final int DUPID = -8;
  public static final int OUTSIDE = -9;

  public static final int TMNOFLAGS = 0;
  public static final int TMJOIN = 0x200000;
  public static final int TMSUSPEND = 0x2000000;
  public static final int TMSUCCESS = 0x4000000;
  public static final int TMRESUME = 0x8000000;
  public static final int TMFAIL = 0x20000000;

  private Xa() {}

  /** The name of a code for people, as the specification writes it. */
  public static String name(int code) {
    return switch (code) {
      case OK -> "XA_OK";
      case RDONLY -> "XA_RDONLY";
      case HEURRB -> "XA_HEURRB";
      case HEURCOM -> "XA_HEURCOM";
      case RBROLLBACK -> "XA_RBROLLBACK";
      case RBCOMMFAIL -> "XA_RBCOMMFAIL";
      case RBOTHER -> "XA_RBOTHER";
      case RBTIMEOUT -> "XA_RBTIMEOUT";
      case RMERR -> "XAER_RMERR";
      case NOTA -> "XAER_NOTA";
      case INVAL -> "XAER_INVAL";
      case PROTO -> "XAER_PROTO";
      case RMFAIL -> "XAER_RMFAIL";
      case DUPID -> "XAER_DUPID";
      case OUTSIDE -> "XAER_OUTSIDE";
      default -> "XA code " + code;
    };
  }
}
