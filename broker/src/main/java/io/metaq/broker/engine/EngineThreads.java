package io.metaq.broker.engine;

import java.util.concurrent.Executor;

/**
 * Where the engine's work runs. Handed in, so that the simulator can run everything on one thread
 * in an order of its own choice.
 *
 * @param loop owns the core
 * @param journal writes and forces the journal, one task at a time
 * @param logWriter moves records into the partition logs, one task at a time, in order
 * @param readers reads partition logs and evaluates selectors over them; may run several tasks at
 *     once
 * @param bodies writes and reads large bodies, one task at a time, in order
 * @param background prepares journal files and takes checkpoints, one task at a time
 */
public record EngineThreads(
    Loop loop,
    Executor journal,
    Executor logWriter,
    Executor readers,
    Executor bodies,
    Executor background) {}
