/**
 * Time limits, intervals and bounds that are not settings, each with its reason: no operator has needed to change them, and
 * most depend on each other. Times are in milliseconds unless the name gives another unit. A value without a measurement is a
 * choice: any other of the same order would work. Limits inside a pool's threads are in `workers` and `src/index/read`: a
 * thread loads nothing else.
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
/** A full mailbox is searched for messages without a waiting sender at most this often, not for each one it refuses. */
export const DROP_EVERY_MS = 1;

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
/** Most abandoned threads, as a multiple of the pool's size; beyond that only a restart of the service helps. */
export const LEFT_BEHIND_POOLS_MAX = 4;
/** Back-off before a pool is replaced: from the first to the second, doubled each time. */
export const POOL_BACK_OFF_MS_MIN = 250;
export const POOL_BACK_OFF_MS_MAX = 30_000;
/** Longest wait for new threads to load and to open the base; then for an answer of the old ones. The console waits 15 s. */
export const RESIZE_MS_MAX = 10_000;
export const RESIZE_SIGN_MS_MAX = 3_000;

// Searches and coverage (src/search)

/**
 * Searches of a key that are answered immediately while other keys search too, per processor, and how long another key counts
 * as searching.
 */
export const AT_ONCE_PER_PROCESSOR = 2;
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

// Keys (src/keys)

/**
 * Interval of the check of the keys folder. An unknown key causes an immediate check, at most one in
 * `KEYS_LOOK_FOR_UNKNOWN_MS`, which counts only immediate checks: a regular check may have come just before the key was issued.
 */
export const VALUES_LOOK_MS = 1_000;
export const KEYS_LOOK_FOR_UNKNOWN_MS = 100;
/** Two changes may get the same time stamp, so a folder changed this recently is read again. */
export const STAMP_DOUBT_MS = 2_000;

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

/** At the stop: time for the last events of the console's streams. */
export const LAST_EVENTS_MS = 10;
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

// Several processes (src/processes)

/**
 * Interval of a child's reports, and of the parent's checks of keys and coverage: the console, `/health` and all processes see
 * a change well within a second.
 */
export const REPORT_MS = 250;
/** The console shows a process as silent when its latest report is older. */
export const REPORT_MS_MAX = 1_500;
/** Longest wait of a child for the parent's counts; the parent needs 0.03 ms. A silent parent has stopped. */
export const COUNTS_MS_MAX = 1_000;
/** Counts of the per-IP limit, for which no request waits, are gathered for this long. */
export const IP_COUNTS_MS = 5;
/** Longest wait of a child for the parent to look up an unknown key. */
export const FIND_KEY_MS_MAX = 1_000;
/** A process that ends sooner counts as a failed start; the next start is then delayed. */
export const PROCESS_LIFE_MS_MIN = 10_000;
/** Back-off before such a start: from the first to the second, doubled each time. */
export const PROCESS_BACK_OFF_MS_MIN = 250;
export const PROCESS_BACK_OFF_MS_MAX = 10_000;
/** A process without a report for this long hangs, and is killed: 40 reports are missing. */
export const PROCESS_SILENT_MS_MAX = 10_000;
/** Longest start of a process; it takes 0.3 s, and seconds on an overloaded machine. */
export const PROCESS_START_MS_MAX = 60_000;
/** Interval of the check for hanging processes. If the check itself is this late, silence proves nothing. */
export const PROCESS_CHECK_MS = 1_000;
export const PROCESS_CHECK_LATE_MS = 1_000;
/** Longest wait for all processes to change a setting: new threads may take `RESIZE_MS_MAX` and more. */
export const CHANGE_MS_MAX = 60_000;
/** Longest wait for a process's metrics. */
export const METRICS_MS_MAX = 2_000;
/** Longest wait for a search of the console: the longest windows take 180 s. */
export const CONSOLE_SEARCH_MS_MAX = 185_000;
/** A process may answer a slice of the coverage this long after its budget. */
export const COVER_SPARE_MS = 1_000;
/**
 * How often a child picks the slowest requests for the console. Each second, not each report: this picks from four times as
 * many, with a fourth of the messages.
 */
export const PICKED_EVERY_MS = 1_000;
/** At the stop: time for threads and logs of a process, after the wait for its requests. */
export const PROCESS_END_MS_MAX = 5_000;

// A cluster: the connection to the NATS servers (src/cluster)

/**
 * Ping interval; a server is left after two unanswered pings. A silent host was detected in 2.9 s, with the defaults in 90 s.
 */
export const BROKER_PING_MS = 1_000;
export const BROKER_PINGS_MAX = 2;
/** Time limit of an attempt to connect, and the pause between attempts. */
export const BROKER_CONNECT_MS_MAX = 2_000;
export const BROKER_RETRY_MS = 100;
/**
 * A process away from its home server polls it at about this interval, and returns after `BROKER_HOME_LOOKS` answers: a newly
 * started server knows its cluster within a second. After failed tries the interval grows to this maximum.
 */
export const BROKER_HOME_MS = 10_000;
export const BROKER_HOME_LOOKS = 2;
export const BROKER_HOME_MS_MAX = 600_000;

// Base files of a cluster (src/cluster/data)

/** Longest wait for one range of a file: at most 4 MiB, which a slow line of 1 Mbit/s carries in 34 s. */
export const FILE_REQUEST_MS_MAX = 60_000;
/** Ranges fetched at a time: a single fetch would pause for a round trip after each range. */
export const FILE_REQUESTS_MAX = 8;
/** Most chunks of 16 KiB in one range: 4 MiB. */
export const RANGE_CHUNKS_MAX = 256;
/** A replaced file is kept this long: requests that read it end long before. */
export const OLD_FILE_MS = 600_000;
/** Back-off after a failed pull: from the first to the second, doubled each time. */
export const PULL_BACK_OFF_MS_MIN = 1_000;
export const PULL_BACK_OFF_MS_MAX = 60_000;
/**
 * Interval at which the file of a base that is down is hashed: from the first to the second, doubled each time; 13 GB take 10 s
 * of a core.
 */
export const CHECK_MS_MIN = 10_000;
export const CHECK_MS_MAX = 600_000;
/** Lease of a replica's position in the roll-out; a dead node blocks other nodes no longer than this. */
export const ROLL_OUT_LEASE_MS = 20_000;
/** A waiting replica renews the lease at this interval, so that enough time is left when it switches. */
export const ROLL_OUT_WAIT_MS = 5_000;
/** Interval at which a replica tries again to switch, if no change is announced. */
export const ROLL_OUT_TRY_MS = 200;
/** Longest wait for the threads to answer from a new file, and the polling interval; threads check the path every 20 ms. */
export const SWITCH_MS_MAX = 10_000;
export const SWITCH_POLL_MS = 20;
/** Longest wait of a copy for running searches to end, some milliseconds, so that the log can be folded in. */
export const READERS_WAIT_MS = 1_000;
/** Budget of a slice of the coverage at a publication, where no search waits. */
export const SLICE_MS = 600_000;

// State that a cluster shares (src/cluster)

/** Interval at which a bucket is read even without messages: after a leader was killed, a watch was silent for 10 s. */
export const BUCKET_LOOK_MS = 5_000;
/** Delays of the reads after a message to a bucket, which arrives before all replicas have stored it. */
export const BUCKET_LOOKS_AFTER_WORD_MS = [0, 50, 250, 1_000] as const;
/** Values per read, and the size limit of a value: a manifest takes some kilobytes. */
export const BUCKET_BATCH = 256;
export const BUCKET_VALUE_BYTES_MAX = 262_144;
/**
 * A stream that ends before the last message read was replaced or emptied, if this many reads agree: a replica may be behind.
 */
export const BUCKET_LOST_LOOKS = 3;
/** Longest wait for a bucket's answer. An election takes 5 to 8 s, and a command must outlast it. */
export const BUCKET_MS_MAX = 10_000;
/** Waits before a retry after a conflicting write: upper bounds of the first wait, and of any. */
export const BUCKET_BACK_OFF_MS_MIN = 10;
export const BUCKET_BACK_OFF_MS_MAX = 500;
/** Longest wait for a quota counter's answer; three replicas take 0.6 ms (p99 2.4 ms). */
export const QUOTA_ACK_MS_MAX = 100;
/** After a timeout nothing is sent to the counters for this long, and then a single trial. */
export const QUOTA_BREAK_MS = 1_000;
/** A used-up quota is refused without asking the counters for this long; it stays used up until the next day. */
export const QUOTA_FULL_MS = 1_000;
/** Interval at which a start checks that the counters exist. */
export const MADE_LOOK_MS = 20;
/** Counters are kept this long after their last charge; a counter is used for a day. */
export const COUNTER_AGE_MS_MAX = 2 * 86_400_000;
/** Interval at which a front reads the counters' time, and the difference that it reports. */
export const CLOCK_LOOK_MS = 10_000;
export const CLOCK_SKEW_MS_MAX = 60_000;
/** A charge resent within this time counts once. */
export const SAME_MESSAGE_MS = 120_000;
/** Longest wait of a front for nodes to handle a setting, longer than `RESIZE_MS_MAX`; and the polling interval. */
export const SETTING_TAKEN_MS_MAX = 15_000;
export const SETTING_TAKEN_LOOK_MS = 20;
/** Interval of a front's announcement. */
export const FRONT_BEAT_MS = 1_000;
/** A front counts in the division of quotas for this long after its latest announcement. */
export const FRONT_HEARD_MS = 10_000;
/** Longest wait for the last messages when a connection is closed. */
export const BROKER_END_MS_MAX = 500;

// A cluster: fronts and nodes (src/cluster)

/**
 * Interval of a node's heartbeat, and the interval with more than `HEARTBEAT_NODES_MAX` nodes: 900 nodes at one a second took
 * the broker 18% of a core. Each heartbeat tells when the next is due.
 */
export const HEARTBEAT_MS = 1_000;
export const HEARTBEAT_NODES_MAX = 200;
export const HEARTBEAT_MANY_MS = 2_000;
/** Intervals without a heartbeat after which a node is asked only if there is no other, and after which it counts as gone. */
export const NODE_LATE_BEATS = 1.5;
export const NODE_SILENT_BEATS = 2.5;
export const NODE_SILENT_MS_MAX = NODE_SILENT_BEATS * HEARTBEAT_MS;
/** A node asked for a heartbeat waits this long for more fronts to ask. */
export const HELLO_MS = 20;
/** The data of a gone node count for this long: a decision that older data lack is not reported as missing. */
export const NODE_FORGOTTEN_MS = 3_600_000;
/** Interval at which fronts check nodes for silence. */
export const NODE_CHECK_MS = 250;
/** Added to the node's time limit by a front, for the round trip. */
export const WAY_MS = 20;
/**
 * A request unanswered after this long, or after the 95th percentile of its base, is sent to a second node too, and after the
 * same time again to a third: at most `HEDGE_SHARE` of all requests, plus a burst. With one of two replicas stopped, 0 of 3,480
 * requests failed; among a thousand nodes of which 30 hang, 0 of 4,000.
 */
export const HEDGE_MS_MIN = 30;
export const HEDGE_SHARE = 0.05;
export const HEDGE_BURST = 40;
/** Most requests in a message to a node: a small part of the largest message that NATS allows, 4 MB. */
export const ASKS_PER_MESSAGE_MAX = 64;
/** A search's answers wait this long to be sent in one message. */
export const ANSWERS_GATHER_MS = 2;
/** Latest requests to a base from which its slowness is estimated. */
export const HEDGE_SAMPLES = 128;
/** A node counts as silent until its next heartbeat after a second node answered this many requests first in a row. */
export const LOST_MAX = 3;
/** An unneeded, unanswered request counts as its node's load for this long. */
export const UNANSWERED_MS_MAX = 10_000;
/**
 * While a front, or every node of a base, has lost its NATS server for no longer than this, requests wait, if there is another
 * server: in twelve kills of one of three servers, another accepted them after 1 to 8 ms, and without the wait the requests
 * made in that time were lost. A single server needs 550 ms to restart, so then requests fail immediately.
 */
export const RECONNECT_MS_MAX = 250;
/** Interval at which a request checks for a node that lost its server and came back. */
export const NODE_RETRY_MS = 20;
/**
 * A stopping node still serves for this long, until fronts know of it. Also the interval at which it checks for unanswered
 * requests.
 */
export const NODE_NEWS_MS = 100;
export const NODE_DRAIN_POLL_MS = 10;
/** Longest wait of a front's start for the broker; then it starts from the copies on its disk. */
export const SHARED_START_MS_MAX = 5_000;
/** A row missing from older data is requested again after this long: a switch takes 20 to 50 ms. */
export const NEWER_DATA_MS = 50;
/** Longest wait of a node's start for the settings of its cluster. A new cluster has none until a front starts. */
export const NODE_STATE_MS_MAX = 500;
/** Longest wait of a command for a NATS server. */
export const COMMAND_CONNECT_MS_MAX = 5_000;
/** Fronts have a new secret this long after its announcement; a front whose subscription is silent reads every 5 s. */
export const SECRET_SPREAD_MS = 7_000;
/** Longest wait for a replica of a bucket; any replica can answer. */
export const BUCKET_READ_MS_MAX = 2_000;
/** Delay before a failed read of a bucket is retried: new servers need some seconds to choose a leader. */
export const BUCKET_RETRY_MS = 500;
