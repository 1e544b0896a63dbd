package io.metaq.tck.peers.load;

/** Seconds of warming up and of measuring. */
record Timing(double warmup, double seconds) {}
