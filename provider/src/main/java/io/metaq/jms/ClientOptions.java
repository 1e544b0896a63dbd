package io.metaq.jms;

import io.metaq.body.BodyCodec;
import io.metaq.body.BodyStorage;
import io.metaq.transport.ClientOption;
import io.metaq.transport.MetaqUri;
import java.nio.file.Path;

/** The options of a URL as the messaging layer uses them. */
record ClientOptions(
    int prefetch,
    int prefetchBytes,
    int acknowledgeBatch,
    int sendWindow,
    boolean nonPersistentReceipts,
    int consumerPriority,
    boolean exclusiveConsumers,
    int closeTimeoutMillis) {

  static ClientOptions of(MetaqUri uri) {
    return new ClientOptions(
        uri.number(ClientOption.PREFETCH),
        uri.number(ClientOption.PREFETCH_BYTES),
        uri.number(ClientOption.ACKNOWLEDGE_BATCH),
        uri.number(ClientOption.SEND_WINDOW),
        uri.flag(ClientOption.NON_PERSISTENT_RECEIPTS),
        uri.number(ClientOption.CONSUMER_PRIORITY),
        uri.flag(ClientOption.EXCLUSIVE_CONSUMERS),
        uri.number(ClientOption.CLOSE_TIMEOUT));
  }

  static MessageSettings messageSettings(MetaqUri uri) {
    String directory = uri.text(ClientOption.TEMPORARY_DIRECTORY);
    return new MessageSettings(
        new BodyStorage(
            directory.isEmpty() ? null : Path.of(directory), BodyStorage.DEFAULT_MEMORY_LIMIT),
        DeserializationPolicy.of(
            uri.text(ClientOption.ALLOWED_CLASSES), uri.text(ClientOption.DENIED_CLASSES)),
        uri.number(ClientOption.COMPRESS_ABOVE),
        BodyCodec.named(uri.text(ClientOption.COMPRESSION)));
  }
}
