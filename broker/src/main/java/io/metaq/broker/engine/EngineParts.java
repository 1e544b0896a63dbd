package io.metaq.broker.engine;

import io.metaq.broker.core.Core;
import io.metaq.broker.store.Journal;
import java.util.function.Consumer;

/** What an engine is made of, once recovery has put it together. */
record EngineParts(
    EngineSettings settings,
    EngineThreads threads,
    EngineClock clock,
    Network network,
    Stores stores,
    Core core,
    Journal journal,
    Gate gate,
    AckConfirmations confirmations,
    LogSet logs,
    LogWriter logWriter,
    LogAppender appender,
    Bodies bodies,
    Checkpoints checkpoints,
    DiskWatch diskWatch,
    Consumer<Throwable> onFatal) {}
