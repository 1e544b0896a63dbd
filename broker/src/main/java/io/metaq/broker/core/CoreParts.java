package io.metaq.broker.core;

/**
 * Makes the parts of the core and ties them together; a part knows only those it is handed here.
 */
final class CoreParts {
  /** A transaction moves its messages to the disk in pieces of this size... */
  private static final long LARGEST_PIECE = 256 << 10;

  /** ...or of this part of the cache, if that is less. */
  private static final long PIECES_IN_CACHE = 32;

  private static final long LARGEST_EXTENT = 64L << 20;

  final Effects effects;
  final Moment moment = new Moment();
  final Timers timers = new Timers();
  final Producers producers = new Producers();
  final IdClock ids;
  final Answers answers;
  final Admission admission;
  final Bodies bodies;
  final Reads reads;
  final Destinations destinations;
  final Dispatcher dispatcher;
  final Settlement settlement;
  final Applier applier;
  final Lookup lookup;
  final Sends sends;
  final Consumers consumers;
  final Connections connections;
  final Router router;
  final Retention retention;
  final Housekeeping housekeeping;
  final Recovery recovery;
  final TransactionSink transactions;
  final Skipped skipped;
  final Spills spills;
  final Unspooler unspooler;
  final Adoption adoption;

  CoreParts(CoreSettings settings, Effects effects, Recorder recorder) {
    this.effects = effects;
    ids = new IdClock(settings.brokerId());
    answers = new Answers(effects);
    bodies = new Bodies(effects);
    reads = new Reads(effects, timers, moment);
    RecordCache cache = new RecordCache(settings.cacheBytes());
    destinations = new Destinations(settings, cache);
    Expiry expiry = new Expiry(destinations, moment);
    DelayedMessages delayed = new DelayedMessages(destinations, reads, ids, moment, bodies);
    admission = new Admission();
    dispatcher = new Dispatcher(effects, moment);
    settlement = new Settlement(dispatcher, bodies, expiry);
    Purge purge = new Purge(recorder, settlement);
    Room room = new Room(effects, purge);
    DeadLetters deadLetters = new DeadLetters(destinations, reads, ids, moment, settlement);
    applier = new Applier(destinations, producers, ids, settlement, delayed);
    Acknowledgements acknowledgements = new Acknowledgements(destinations, settlement);
    Redelivery redelivery = new Redelivery(dispatcher, timers, moment, deadLetters);
    lookup = new Lookup(settings, destinations, cache, ids, moment, settlement);
    sends =
        new Sends(
            settings,
            destinations,
            effects,
            answers,
            dispatcher,
            ids,
            moment,
            timers,
            delayed,
            expiry,
            room,
            bodies,
            admission);
    skipped = new Skipped(settlement);
    Selectors selectors = new Selectors();
    LiveScanContext scans = new LiveScanContext(redelivery, skipped, reads, dispatcher);
    DurableSubscriptions durables =
        new DurableSubscriptions(destinations, ids, moment, recorder, effects);
    Subscriptions subscriptions = new Subscriptions(destinations, lookup, ids, moment, durables);
    Wildcards wildcards = new Wildcards(destinations);
    consumers =
        new Consumers(
            effects,
            destinations,
            lookup,
            subscriptions,
            wildcards,
            selectors,
            scans,
            dispatcher,
            redelivery,
            settlement,
            answers);
    wildcards.connect(consumers::attachTo);
    connections =
        new Connections(
            settings,
            effects,
            answers,
            producers,
            consumers,
            redelivery,
            lookup,
            sends,
            room,
            timers,
            moment);
    Holds holds = new Holds(destinations, redelivery, settlement);
    spills = new Spills(effects, bodies, Math.min(LARGEST_EXTENT, settings.cacheBytes() / 2));
    unspooler = new Unspooler(effects, spills, timers, moment, recorder);
    TransactionSends transactionSends =
        new TransactionSends(
            destinations,
            sends,
            delayed,
            room,
            ids,
            moment,
            bodies,
            spills,
            Math.min(LARGEST_PIECE, settings.cacheBytes() / PIECES_IN_CACHE),
            settings.cacheBytes());
    unspooler.connect(transactionSends);
    transactions =
        new Transactions(
            answers,
            effects,
            holds,
            transactionSends,
            new LocalTransactions(
                answers, holds, transactionSends, connections, recorder, admission, unspooler),
            new XaBranches(
                effects,
                holds,
                transactionSends,
                recorder,
                admission,
                unspooler,
                moment,
                settings.generation()),
            destinations,
            unspooler,
            moment,
            timers);
    Operations operations =
        new Operations(
            destinations, lookup, durables, purge, connections, dispatcher, scans, delayed);
    router =
        new Router(
            effects,
            answers,
            connections,
            lookup,
            sends,
            consumers,
            durables,
            acknowledgements,
            redelivery,
            destinations,
            transactions,
            operations);
    adoption = new Adoption(destinations, lookup, ids, moment, recorder);
    retention = new Retention(destinations, recorder);
    housekeeping =
        new Housekeeping(
            moment, producers, skipped, retention, delayed, expiry, recorder, transactions);
    recovery =
        new Recovery(
            destinations, producers, bodies, expiry, delayed, ids, moment, recorder, transactions);

    applier.setTransactions(transactions);
    acknowledgements.connect(recorder);
    redelivery.connect(recorder);
    lookup.connect(recorder, wildcards, durables);
    sends.connect(recorder, transactions);
    skipped.connect(recorder);
    expiry.connect(skipped, deadLetters);
    delayed.connect(recorder, sends);
    deadLetters.connect(recorder, lookup, sends);
    connections.connect(transactions);
    dispatcher.connect(recorder, new Outbound(deadLetters, acknowledgements, sends));
  }
}
