package io.metaq.broker.engine;

/** Names a partition log within this broker: the destination's incarnation, and the partition. */
record LogId(long destinationId, int partition) {}
