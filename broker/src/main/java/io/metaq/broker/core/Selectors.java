package io.metaq.broker.core;

import io.metaq.selector.Selector;
import io.metaq.selector.SelectorContext;
import io.metaq.selector.SelectorSyntaxException;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.WireException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * Turns selectors into tests over records. The tests keep no state, so that readers evaluate them
 * too.
 */
final class Selectors {
  /** Null for a selector that selects everything. */
  static String normal(String selector) {
    return selector == null || selector.isBlank() ? null : selector;
  }

  /** Null if every record passes. */
  Predicate<ByteBuffer> compile(String selector) {
    if (selector == null) {
      return null;
    }
    try {
      Selector parsed = Selector.parse(selector);
      return record -> matches(parsed, record);
    } catch (SelectorSyntaxException e) {
      throw new CoreException(ErrorCode.INVALID_SELECTOR, e.getMessage(), e.position());
    }
  }

  /** A text that is no valid UTF-8 is equal to nothing. */
  private static boolean matches(Selector selector, ByteBuffer record) {
    try {
      return selector.matches(context(record));
    } catch (WireException unreadable) {
      return false;
    }
  }

  /** The correlation id that a message must have to match, or null if there is none such. */
  static String correlationId(String selector) {
    try {
      return selector == null
          ? null
          : Selector.parse(selector).equalityOn("JMSCorrelationID").orElse(null);
    } catch (SelectorSyntaxException e) {
      return null;
    }
  }

  private static SelectorContext context(ByteBuffer record) {
    // A selector cannot ask for the destination.
    return new RecordContext(PlainRecord.toJms(record, DestinationKind.QUEUE, ""));
  }

  /** Decodes the block once, and not at all for a selector that needs only fixed fields. */
  private static final class RecordContext implements SelectorContext {
    private final ByteBuffer record;
    private MessageBlock block;

    private RecordContext(ByteBuffer record) {
      this.record = record;
    }

    @Override
    public Object value(String identifier) {
      switch (identifier) {
        case "JMSPriority":
          return RecordView.priority(record);
        case "JMSTimestamp":
          return RecordView.content(record).timestamp();
        case "JMSDeliveryMode":
          return RecordView.content(record).persistent() ? "PERSISTENT" : "NON_PERSISTENT";
        case "JMSCorrelationID":
          return RecordView.content(record).correlationId();
        default:
          return decoded(identifier);
      }
    }

    private Object decoded(String identifier) {
      if (block == null) {
        block = RecordView.content(record).block();
      }
      return switch (identifier) {
        case "JMSMessageID" -> block.messageId();
        case "JMSType" -> block.type();
        case "JMSXGroupID" -> block.groupId();
        case "JMSXGroupSeq" -> block.groupId() == null ? null : block.groupSequence();
        default -> {
          Object value = block.properties().get(identifier);
          yield value instanceof byte[] || value instanceof Character ? null : value;
        }
      };
    }
  }
}
