package io.metaq.broker.store;

/**
 * A sealed file of the body store.
 *
 * @param fileId its name
 * @param length of its contents in bytes
 * @param checksum CRC-32C of its contents
 */
public record BodyRef(long fileId, long length, int checksum) {}
