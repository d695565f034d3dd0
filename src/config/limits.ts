/**
 * Time limits, intervals and bounds that are not settings, each with its reason: no operator has needed to change them, and
 * most depend on each other. Times are in milliseconds unless the name gives another unit. A value without a measurement is a
 * choice: any other of the same order would work. Limits of clusters, processes, keys and shared state are beside what they
 * bound; limits inside a pool's threads are in `workers` and `src/index/read`: a thread loads nothing else.
 */

// Requests to a base: batches, turns, expensive work (src/engine)

/** Most requests in a batch. Batches had 8 to 11 requests under the load of 32 connections. */
export const BATCH_SIZE_MAX = 16;
/**
 * Processor time of a cheap request. A request that needs more, as estimated by its thread or as measured, is expensive. Users'
 * queries took 2 ms in a base of 1,000,000 decisions, at most 6, phrases of common words 9, at most 13.
 */
export const CHEAP_WORK_MS = 15;
/** Charged to an asker for a request before its work is known, so that a batch holds no more than a fair share. */
export const CHEAP_EXPECTED_MS = 0.2;
export const EXPENSIVE_EXPECTED_MS = 50;
/** Expensive work that exceeds its time by this much no longer makes other work wait: its thread is blocked. */
export const SLOT_SPARE_MS = 100;
/** Askers whose latest work is remembered, for each base and for expensive work; some 50 bytes each. */
export const ASKERS_MAX = 4_096;
/**
 * A base is congested when a request has spent more than this fraction of its time in the queue. The rest is enough to answer.
 * With load shedding by this limit, five times the peak load left 72% of the peak's complete answers; before, 23 to 33%.
 */
export const CONGESTED_SHARE = 1 / 3;
/** A base without an answer for this long is not congested but at a standstill: a batch of cheap requests takes less. */
export const STANDSTILL_MS = 250;

// Health and data version of a base (src/engine)

/** Interval of the check of a base. Six bases cost 2 ms of processor time a second on an overloaded machine. */
export const WATCH_EVERY_MS = 1_000;
/** Budget of a probe. Requests wait less for it (`VERSION_MS_MAX`), and the watch does not wait. */
export const PROBE_MS_MAX = 1_000;
/** Longest wait for a `stat`; a network file system may hang. */
export const STAT_MS_MAX = 2_000;
/** A flapping base counts as up after a quiet time within these bounds; each new failure doubles it. */
export const QUIET_MS_MIN = 1_000;
export const QUIET_MS_MAX = 60_000;
/** A data version this recent counts as current, so a committed load is visible after this time at the latest. */
export const VERSION_FRESH_MS = 100;
/** Longest wait of a request for the data version; a base that needs longer is busy, and gets the request instead. */
export const VERSION_MS_MAX = 25;

// Threads (src/engine)

/** At the close: longest wait for a thread to load, and to end. After that, it ends with the process. */
export const THREAD_LOAD_MS_MAX = 10_000;
export const THREAD_END_MS_MAX = 2_000;
/** Statements stop at their budget. A batch that runs this much longer never stops. */
export const STUCK_MS = 2_000;
/** A batch that runs this much longer than its budget blocks its thread for others. */
export const LATE_MS = 1_000;
/** Threads without a batch for so long collect their garbage. */
export const IDLE_MS = 5_000;
/** Most abandoned threads, as a multiple of the threads of a base; beyond that only a restart of the service helps. */
export const LEFT_BEHIND_POOLS_MAX = 4;
/** Back-off before a thread starts again: from the first to the second, doubled each time. */
export const POOL_BACK_OFF_MS_MIN = 250;
export const POOL_BACK_OFF_MS_MAX = 30_000;
/** Longest wait for more threads to load. The console waits 15 s. */
export const RESIZE_MS_MAX = 10_000;

// Searches and coverage (src/search)

/**
 * Searches of a key that are answered immediately while other keys search too, per processor, and how long another key counts
 * as searching. Beside 64 searches of another key a search took 3.6 times as long with two per processor, and 2.2 with one. A
 * front's processors do not search.
 */
export const AT_ONCE_PER_PROCESSOR = 1;
export const AT_ONCE_PER_FRONT_PROCESSOR = 2;
export const ASKER_RECENT_MS = 1_000;
/** Most searches of a key that wait for that; further ones go to the bases' queues, which are bounded. */
export const ASKER_WAITING_MAX = 512;

/**
 * Most words of a query for which a page gets near words, and the longest wait. A thread takes 2 ms, but all six threads of a new
 * service take 30 ms for their first: on a busy machine 100 ms left the first searches without near words.
 */
export const NEAR_WORDS_MAX = 5;
export const NEAR_MS = 500;

/**
 * After this fraction of its windows a page counts as slow, because a base may time out: the remaining bases then fetch further
 * rows. With a fixed 50 ms and 128 searches in flight every page counted as slow, and bases were asked for rows that hardly any
 * page needed.
 */
export const SLOW_PAGE_SHARE = 1 / 5;
/**
 * A client that sends requests one by one repeats a rejected search immediately, and the service would only reject. So a search
 * backs off this long, or this fraction of its shortest window, and is admitted if there is room then.
 */
export const BACK_OFF_MS = 250;
export const BACK_OFF_SHARE = 1 / 4;
/** The first calculation starts 5 minutes after the start, and is repeated every 24 hours, as the contract says. */
export const COVERAGE_FIRST_MS = 5 * 60_000;
export const COVERAGE_EVERY_MS = 24 * 3_600_000;
export const COVERAGE_RETRY_MS = 5 * 60_000;
/** The wall clock may be set meanwhile, so no wait is longer than this. */
export const COVERAGE_WAIT_MS_MAX = 3_600_000;
/** Rows, budget and attempts of a slice of the calculation. */
export const SLICE_ROWS = 20_000;
export const SLICE_BUDGET_MS = 2_000;
export const SLICE_TRIES_MAX = 5;
/** After a slice the actor pauses three times as long as the slice ran, so that searches find the thread free. */
export const SLICE_PAUSE_FACTOR = 3;
export const SLICE_PAUSE_MS_MIN = 5;

// HTTP and its log (src/http)

/** Addresses whose limit key is cached: parsing an address costs more than the limit itself. */
export const ADDRESSES_MAX = 10_000;
/** Size of the cache of parsed parameters. Parsing is a fifth of the work of a search that the result cache answers. */
export const PEDIDOS_BYTES_MAX = 4 * 1_048_576;
/** Log lines a second, for failed and for slow requests separately; one more line counts the rest. */
export const LOG_LINES_MAX = 10;
export const LOG_WINDOW_MS = 1_000;
/** At the stop: interval at which pending requests are counted. */
export const STOP_POLL_MS = 10;
/** At the stop: time for clients on open connections to get an answer with `Connection: close`, and the quiet that ends it. */
export const LAST_WORD_MS_MAX = 1_000;
export const LAST_WORD_QUIET_MS = 100;

// Admin listener and console (src/admin)

/** Largest request body. */
export const ADMIN_BODY_BYTES_MAX = 64 * 1024;
/**
 * The longest idle time that the server supports, seconds. A connection without an answer yet counts as idle; a search with the
 * longest windows takes 180 s. A stream must send something more often.
 */
export const ADMIN_IDLE_TIMEOUT_S = 255;
/** Longest wait of the command `healthcheck` for the answer. */
export const HEALTHCHECK_MS_MAX = 3_000;
/** Changes of settings in the history; older ones cannot be undone one by one. */
export const SETTING_HISTORY_MAX = 200;
/** Seconds of figures that the console shows, and the seconds that make up the latest figures. */
export const FIGURES_S = 900;
export const FIGURES_RECENT_S = 10;
/** Where `SLOW_MS` is 0, the console lists requests that take this long, without their text. */
export const SLOW_MS_SHOWN = 500;
/** Requests per second and process that the console lists, slow and incomplete ones separately. */
export const SLOW_PICKS_MAX = 5;
/** Slow requests that are stored, and that the page gets; the same for incomplete ones. A request takes 2 to 3 kB. */
export const SEARCHES_LISTED_MAX = 100;
export const SEARCHES_SHOWN_MAX = 25;
/** A base's slowest request of this many seconds is stored, and a point of a chart links to this many. */
export const SEARCH_SLICE_S = 5;
export const SEARCHES_AROUND_MAX = 10;
/** Interval at which the pool's use is sampled; a batch is shorter. */
export const FIGURES_SAMPLE_MS = 100;
/** Most open console pages, and how many events a page may be behind before it is disconnected; it connects again. */
export const CONSOLE_READERS_MAX = 32;
export const CONSOLE_BEHIND_MAX = 30;
/** Interval and number of attempts while a command changes keys: the event loop must not block on the lock. */
export const KEYS_RETRY_MS = 20;
export const KEYS_TRIES_MAX = 100;

// Metrics and traces (src/observe)

/** A stall of the event loop longer than this is always noticed; twenty timers a second cost nothing measurable. */
export const LOOP_SAMPLE_MS = 50;
/** Longest wait for the trace collector when the service stops. */
export const TRACES_STOP_MS_MAX = 2_000;

// Loads (src/ingest, src/index/write)

/** Interval at which a slow input is flushed: waiting decisions, and a long transaction. */
export const FLUSH_MS = 250;
/** A transaction ends after this long, or after the duration of the last commit, unless its size ends it sooner. */
export const OPEN_MS_MAX = 4_000;
/** Interval at which the writing of decisions lets timers and signals run. */
export const TURN_EVERY_MS = 100;
/** After a signal that stops a load: time to index the decisions already read, which are then committed. */
export const STOP_WRITING_MS_MAX = 2_000;
/** At the end of a load: longest wait for readers, after which the write-ahead log stays. Searches take less. */
export const CHECKPOINT_WAIT_MS = 1_000;
/** Longest wait for another writer of a base file. */
export const BUSY_TIMEOUT_MS = 60_000;

// The process (src/system.ts, src/main.ts, src/process)

/** Interval of the log lines that count rejected searches. */
export const OVERLOAD_LOG_MS = 10_000;
/** The server counts idle time in steps of a few seconds, so its limit is this much above the longest windows, seconds. */
export const IDLE_SPARE_S = 5;
/** Longest wait for the log to be written when the service stops. */
export const LOG_END_MS_MAX = 1_000;
/** Ctrl-C arrives twice, from the terminal and from `bun run`. Only a signal later than this counts as a second one. */
export const SECOND_SIGNAL_MS = 1_000;
/** Interval of the check that npm is still running. */
export const LOOK_MS = 250;
/** Longest wait of a command or a start for a lock. A first start takes some seconds to make its demo bases. */
export const LOCK_WAIT_MS = 60_000;
/** A temporary file this old was left by a killed process: a write takes less. */
export const WRITING_MS_MAX = 60_000;
/** Work that ends sooner shows no progress bar; interval of the bar's drawings. */
export const QUIET_MS = 1_000;
export const REDRAW_MS = 200;

// State that a cluster shares (src/cluster)

/** A front whose clock differs more from that of the counters reports it. */
export const CLOCK_SKEW_MS_MAX = 60_000;
