package io.metaq.broker.store;

/**
 * A segment file of a partition log, and what is known of its index. Segment files are named by
 * their first byte's offset.
 */
final class Segment {
  static final String SUFFIX = ".meta";
  static final String INDEX_SUFFIX = ".index";

  private static final int NAME_LENGTH = 20;

  private final String directory;
  private final long offset;
  private final long firstSeq;
  private boolean indexed;
  private int marks;
  private long lastMark = -1;

  Segment(String directory, long offset, long firstSeq) {
    this.directory = directory;
    this.offset = offset;
    this.firstSeq = firstSeq;
  }

  long offset() {
    return offset;
  }

  long firstSeq() {
    return firstSeq;
  }

  String path() {
    return directory + "/" + name(offset) + SUFFIX;
  }

  String indexPath() {
    return directory + "/" + name(offset) + INDEX_SUFFIX;
  }

  /** By hand, since it is asked for at every read, and a formatter costs more than the read. */
  static String name(long offset) {
    char[] digits = new char[NAME_LENGTH];
    long rest = offset;
    for (int i = NAME_LENGTH - 1; i >= 0; i--) {
      digits[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(digits);
  }

  /** The offset in the name of a segment or index file; -1 for another file. */
  static long parseOffset(String fileName, String suffix) {
    String digits =
        fileName.endsWith(suffix) ? fileName.substring(0, fileName.length() - suffix.length()) : "";
    return digits.length() == NAME_LENGTH
            && digits.chars().allMatch(c -> c >= '0' && c <= '9')
            && digits.charAt(0) == '0'
        ? Long.parseLong(digits)
        : -1;
  }

  /** Whether the index was checked since the start; the following two are only meaningful then. */
  synchronized boolean isIndexed() {
    return indexed;
  }

  synchronized int marks() {
    return marks;
  }

  /** Offset of the youngest mark, -1 when there is none. */
  synchronized long lastMark() {
    return lastMark;
  }

  synchronized void indexed(int newMarks, long newLastMark) {
    indexed = true;
    marks = newMarks;
    lastMark = newLastMark;
  }
}
