/**
 * Time limits, intervals and bounds that are no settings, each with its reason: no operator has needed to change them, and
 * most depend on each other. Times are in milliseconds unless the name says otherwise. A value without a measurement is a
 * choice: another one of the same order would do. Limits inside a pool's threads stand in `workers` and `src/index/read`: a
 * thread loads nothing else.
 */

// Requests to a base: batches, turns, expensive work (src/engine)

/** Most requests in one batch. Batches had 8 to 11 requests under the load of 32 connections. */
export const BATCH_SIZE_MAX = 16;
/**
 * Processor time of a cheap request. One that needs more, by the estimate of its thread or by what it took, is expensive.
 * Users' queries took 2 ms in a base of 1,000,000 decisions, at most 6, phrases of common words 9, at most 13.
 */
export const CHEAP_WORK_MS = 15;
/** What an asker is charged for a request before its work is known, so that a batch holds no more than one's share. */
export const CHEAP_EXPECTED_MS = 0.2;
export const EXPENSIVE_EXPECTED_MS = 50;
/** Expensive work that has not ended so long after its time no longer keeps others waiting: its thread is blocked. */
export const SLOT_SPARE_MS = 100;
/** Askers whose latest work is remembered, for each base and for expensive work; some 50 bytes each. */
export const ASKERS_MAX = 4_096;
/**
 * A base is congested when a request has spent more than this share of its time in the queue. The remaining share is
 * enough to answer. With load shedding by this share, five times the peak load left 72% of the
 * peak's complete answers; before, 23 to 33%.
 */
export const CONGESTED_SHARE = 1 / 3;
/** A base without an answer for this long is not congested but at a standstill: a batch of cheap requests takes less. */
export const STANDSTILL_MS = 250;
/** A full mailbox is searched for messages without a waiting sender at most this often, not for each one it refuses. */
export const DROP_EVERY_MS = 1;

// Health and data version of a base (src/engine)

/** Interval of the check of each base. Six bases cost 2 ms of processor time a second on an overloaded machine. */
export const WATCH_EVERY_MS = 1_000;
/** Budget of a probe. Requests wait less for it (`VERSION_MS_MAX`), and the watch not at all. */
export const PROBE_MS_MAX = 1_000;
/** Longest wait for the file system to say what is at a path; a network file system may hang. */
export const STAT_MS_MAX = 2_000;
/** A flapping base counts as up after a quiet time between these; each time it goes down again doubles it. */
export const QUIET_MS_MIN = 1_000;
export const QUIET_MS_MAX = 60_000;
/** A data version this recent counts as current, so a committed load is visible after this time at the latest. */
export const VERSION_FRESH_MS = 100;
/** Longest wait of a request for the data version; a base that needs longer is busy, and gets the request instead. */
export const VERSION_MS_MAX = 25;

// Threads (src/engine)

/** At the close: longest wait for a thread that loads, and for one that ends. After that, it ends with the process. */
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

/** Searches of one key that are answered at once while other keys search too, for each processor, and how long that lasts. */
export const AT_ONCE_PER_PROCESSOR = 2;
export const ASKER_RECENT_MS = 1_000;
/** Searches of one key that wait for that at most; further ones go on to the queues of the bases, which are bounded. */
export const ASKER_WAITING_MAX = 512;

/** Words of a query for which a page looks for near ones, and how long it waits for them: a courtesy that takes 2 ms in a thread. */
export const NEAR_WORDS_MAX = 5;
export const NEAR_MS = 100;

/**
 * A page that has taken this share of its windows waits for a slow base, which may not answer: the others then fetch their
 * further rows. As soon as after 50 ms, with 128 searches in flight every page counted as slow, and each base was asked
 * for rows that hardly any page needed.
 */
export const SLOW_PAGE_SHARE = 1 / 5;
/**
 * A client that sends one request after the other repeats a rejected search at once, and the service would do nothing but
 * reject. So a search backs off this long, or this share of its shortest window, and is admitted if there is room then.
 */
export const BACK_OFF_MS = 250;
export const BACK_OFF_SHARE = 1 / 4;
/** The first calculation starts 5 minutes after the start, and is repeated every 24 hours, as the contract says. */
export const COVERAGE_FIRST_MS = 5 * 60_000;
export const COVERAGE_EVERY_MS = 24 * 3_600_000;
export const COVERAGE_RETRY_MS = 5 * 60_000;
/** The wall clock may be set meanwhile, so no wait is longer than this. */
export const COVERAGE_WAIT_MS_MAX = 3_600_000;
/** Rows and budget of a slice of the calculation, and attempts for one. */
export const SLICE_ROWS = 20_000;
export const SLICE_BUDGET_MS = 2_000;
export const SLICE_TRIES_MAX = 5;
/** After a slice the actor pauses three times as long as the slice ran, so that searches find the thread free. */
export const SLICE_PAUSE_FACTOR = 3;
export const SLICE_PAUSE_MS_MIN = 5;

// HTTP and its log (src/http)

/** Addresses whose limit key is cached: parsing one costs more than the limit itself. */
export const ADDRESSES_MAX = 10_000;
/** Size of the cache of parsed parameters. Parsing is a fifth of the work of a search that the result cache answers. */
export const PEDIDOS_BYTES_MAX = 4 * 1_048_576;
/** Log lines a second, of failed and of slow requests each; one more line counts the others. */
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
 * The longest idle time that the server supports, seconds. A connection that waits for its answer counts as idle; a search
 * with the longest windows takes 180 s. A stream must send something more often.
 */
export const ADMIN_IDLE_TIMEOUT_S = 255;
/** Longest wait of the command `healthcheck` for the answer. */
export const HEALTHCHECK_MS_MAX = 3_000;
/** Changes of settings in the history; older ones cannot be undone one by one. */
export const SETTING_HISTORY_MAX = 200;
/** Seconds of figures that the console shows, and those that count together as the latest ones. */
export const FIGURES_S = 900;
export const FIGURES_RECENT_S = 10;
/** Where `SLOW_MS` is 0, the console lists requests that take this long, without their text. */
export const SLOW_MS_SHOWN = 500;
/** Requests of one second in each process, that the console lists, slow and incomplete ones each. */
export const SLOW_PICKS_MAX = 5;
/** Slow requests that are stored, and that the page gets; as many incomplete ones. A request takes 2 to 3 kB. */
export const SEARCHES_LISTED_MAX = 100;
export const SEARCHES_SHOWN_MAX = 25;
/** Of each base the slowest request of so many seconds is stored, and so many of them are behind a point of a chart. */
export const SEARCH_SLICE_S = 5;
export const SEARCHES_AROUND_MAX = 10;
/** Interval at which the pool's use is sampled; a batch is shorter. */
export const FIGURES_SAMPLE_MS = 100;
/** Most open console pages, and the events that one may be behind before it is disconnected; its page connects again. */
export const CONSOLE_READERS_MAX = 32;
export const CONSOLE_BEHIND_MAX = 30;
/** Interval and number of attempts while another command changes keys: the event loop must not block on its lock. */
export const KEYS_RETRY_MS = 20;
export const KEYS_TRIES_MAX = 100;

// Metrics and traces (src/observe)

/** A stall of the event loop longer than this is always noticed; twenty timers a second cost nothing measurable. */
export const LOOP_SAMPLE_MS = 50;
/** Longest wait for the trace collector when the service stops. */
export const TRACES_STOP_MS_MAX = 2_000;

// Keys (src/keys)

/**
 * The keys folder is checked at the first interval. An unknown key causes a check at once, at most one for each of the
 * second interval, which counts such checks only: a regular check may have come just before the key was issued.
 */
export const VALUES_LOOK_MS = 1_000;
export const KEYS_LOOK_FOR_UNKNOWN_MS = 100;
/** Two changes may get the same time stamp, so a folder changed this recently is read again. */
export const STAMP_DOUBT_MS = 2_000;

// Loads (src/ingest, src/index/write)

/** Interval at which a slow input is flushed: waiting decisions, and a transaction that has been open for long. */
export const FLUSH_MS = 250;
/** A transaction ends after this long, or as long as the commit before it took, if its size does not end it sooner. */
export const OPEN_MS_MAX = 4_000;
/** Timers and signals have their turn this often while decisions are written one after the other. */
export const TURN_EVERY_MS = 100;
/** After a signal that stops a load: time to take in what was read before it, which is then committed. */
export const STOP_WRITING_MS_MAX = 2_000;
/** Longest wait of a load's end for readers, before it leaves the write-ahead log as it is. Searches take less. */
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
/** Interval of the check whether npm has ended. */
export const LOOK_MS = 250;
/** How long a command or a start waits for a lock. A first start takes some seconds to make its demo bases. */
export const LOCK_WAIT_MS = 60_000;
/** A temporary file this old was left by a killed process: writing one takes less. */
export const WRITING_MS_MAX = 60_000;
/** Work that ends sooner shows no progress bar; interval of the bar's drawings. */
export const QUIET_MS = 1_000;
export const REDRAW_MS = 200;

// Several processes (src/processes)

/**
 * Interval of the reports of a child, and of the parent's checks of keys and coverage: the console, `/health` and all
 * processes know a change well within a second.
 */
export const REPORT_MS = 250;
/** The console says that a process does not report when its latest report is older. */
export const REPORT_MS_MAX = 1_500;
/** Longest wait of a child for the parent's counts; the parent needs 0.03 ms. One that does not answer has stopped. */
export const COUNTS_MS_MAX = 1_000;
/** Counts of the per-IP limit, for which no request waits, are gathered for so long. */
export const IP_COUNTS_MS = 5;
/** Longest wait of a child for the parent's word on an unknown key. */
export const FIND_KEY_MS_MAX = 1_000;
/** A process that ends sooner than this after its start ends of its start; the next start is then put off. */
export const PROCESS_LIFE_MS_MIN = 10_000;
/** Back-off before such a start: from the first to the second, doubled each time. */
export const PROCESS_BACK_OFF_MS_MIN = 250;
export const PROCESS_BACK_OFF_MS_MAX = 10_000;
/** A process without a report for this long hangs, and is killed: 40 reports are missing. */
export const PROCESS_SILENT_MS_MAX = 10_000;
/** Longest start of a process; it takes 0.3 s, and seconds on an overloaded machine. */
export const PROCESS_START_MS_MAX = 60_000;
/** Interval of the check for hanging processes. If the check itself is this late, the silence says nothing. */
export const PROCESS_CHECK_MS = 1_000;
export const PROCESS_CHECK_LATE_MS = 1_000;
/** Longest wait for all processes to change a setting: new threads may take `RESIZE_MS_MAX` and more. */
export const CHANGE_MS_MAX = 60_000;
/** Longest wait for the metrics of one process. */
export const METRICS_MS_MAX = 2_000;
/** Longest wait for a search of the console: the longest windows take 180 s. */
export const CONSOLE_SEARCH_MS_MAX = 185_000;
/** A process may answer a slice of the coverage so much after its budget. */
export const COVER_SPARE_MS = 1_000;
/**
 * How often a child picks the slowest requests for the console. Each second, not each report: a choice among four times as
 * many, and a fourth of the messages.
 */
export const PICKED_EVERY_MS = 1_000;
/** At the stop: time for threads and logs of a process, after the wait for its requests. */
export const PROCESS_END_MS_MAX = 5_000;

// A cluster: the connection to the NATS servers (src/cluster)

/** A server that answers no ping is left after two of them: a host that went silent was found out in 2.9 s; by default it is 90. */
export const BROKER_PING_MS = 1_000;
export const BROKER_PINGS_MAX = 2;
/** Longest time for one attempt to connect, and the pause between two. */
export const BROKER_CONNECT_MS_MAX = 2_000;
export const BROKER_RETRY_MS = 100;
/**
 * A process that is not connected to the server its name gives looks for that one about so often, and goes back when it was
 * there so many times: a server that has just started knows the others within a second. After a try in vain: at most so long.
 */
export const BROKER_HOME_MS = 10_000;
export const BROKER_HOME_LOOKS = 2;
export const BROKER_HOME_MS_MAX = 600_000;

// Base files of a cluster (src/cluster/data)

/** Longest wait for one range of a file: at most 4 MiB, which a slow line of 1 Mbit/s carries in 34 s. */
export const FILE_REQUEST_MS_MAX = 60_000;
/** Ranges fetched at a time: one alone waits for the line after each. */
export const FILE_REQUESTS_MAX = 8;
/** Most chunks of 16 KiB in one range: 4 MiB. */
export const RANGE_CHUNKS_MAX = 256;
/** A file that was replaced is kept for so long: requests that read it end long before. */
export const OLD_FILE_MS = 600_000;
/** Back-off after a file that could not be pulled: from the first to the second, doubled each time. */
export const PULL_BACK_OFF_MS_MIN = 1_000;
export const PULL_BACK_OFF_MS_MAX = 60_000;
/** The file of a base that is down is hashed, and again after the first of these, doubled each time: 13 GB take 10 s of a core. */
export const CHECK_MS_MIN = 10_000;
export const CHECK_MS_MAX = 600_000;
/** A replica that switches has a place in the roll-out for so long; a node that died there blocks the others no longer. */
export const ROLL_OUT_LEASE_MS = 20_000;
/** One that waits for a place takes a new one after so long, so that enough is left of it when it switches. */
export const ROLL_OUT_WAIT_MS = 5_000;
/** Interval of a replica's tries to get such a place, where it hears of none that is free. */
export const ROLL_OUT_TRY_MS = 200;
/** Longest wait for the threads to answer from a new file, and how often they are asked; they look at the path every 20 ms. */
export const SWITCH_MS_MAX = 10_000;
export const SWITCH_POLL_MS = 20;
/** Longest wait of a copy for searches to end, which read for some milliseconds, so that the log can be folded in. */
export const READERS_WAIT_MS = 1_000;
/** Budget of a slice of the coverage at a publication, where no search waits. */
export const SLICE_MS = 600_000;

// State that a cluster shares (src/cluster)

/** Interval at which a bucket is read even if nothing was heard: after a leader was killed, a watch was silent for 10 s. */
export const BUCKET_LOOK_MS = 5_000;
/** When a bucket is read after a message to it, which is heard before all copies have stored it. */
export const BUCKET_LOOKS_AFTER_WORD_MS = [0, 50, 250, 1_000] as const;
/** Values read at once, and how large one may be: a manifest takes some kilobytes. */
export const BUCKET_BATCH = 256;
export const BUCKET_VALUE_BYTES_MAX = 262_144;
/** A stream that ends before what was read of it was replaced or emptied, if so many looks say so: a copy may be behind. */
export const BUCKET_LOST_LOOKS = 3;
/** Longest wait for the answer of a bucket. Electing a leader takes 5 to 8 s, and a command waits for that. */
export const BUCKET_MS_MAX = 10_000;
/** Waits before a value is written again when somebody else was first: the first at most, and the longest. */
export const BUCKET_BACK_OFF_MS_MIN = 10;
export const BUCKET_BACK_OFF_MS_MAX = 500;
/** Longest wait for the answer of a quota's counter; three copies take 0.6 ms (p99 2.4 ms). */
export const QUOTA_ACK_MS_MAX = 100;
/** After counters have not answered, nothing is sent to them for this long, and then one trial. */
export const QUOTA_BREAK_MS = 1_000;
/** A quota that is used up stays so until the next day: so long it is refused without asking. */
export const QUOTA_FULL_MS = 1_000;
/** How often a start looks whether the counters are made. */
export const MADE_LOOK_MS = 20;
/** Counters are kept for so long after their last charge; one counts for a day. */
export const COUNTER_AGE_MS_MAX = 2 * 86_400_000;
/** How often a front reads the time of the counters, and by how much its own may differ before it says so. */
export const CLOCK_LOOK_MS = 10_000;
export const CLOCK_SKEW_MS_MAX = 60_000;
/** A charge that is sent again in this time counts once. */
export const SAME_MESSAGE_MS = 120_000;
/** A front waits so long for nodes to say what they made of a setting, longer than `RESIZE_MS_MAX`; and how often it looks. */
export const SETTING_TAKEN_MS_MAX = 15_000;
export const SETTING_TAKEN_LOOK_MS = 20;
/** Interval at which a front says that it is there. */
export const FRONT_BEAT_MS = 1_000;
/** A front counts among those that share quotas for so long after it was heard. */
export const FRONT_HEARD_MS = 10_000;
/** Longest wait for what was sent last, when a connection is closed. */
export const BROKER_END_MS_MAX = 500;

// A cluster: fronts and nodes (src/cluster)

/**
 * How often a node reports the state of its bases; half as often among more than so many nodes: 900 at one a second took the
 * broker 18% of a core. Each heartbeat says when the next one is due.
 */
export const HEARTBEAT_MS = 1_000;
export const HEARTBEAT_NODES_MAX = 200;
export const HEARTBEAT_MANY_MS = 2_000;
/** After so many intervals without a heartbeat a node is asked only if there is no other, and after so many it counts as gone. */
export const NODE_LATE_BEATS = 1.5;
export const NODE_SILENT_BEATS = 2.5;
export const NODE_SILENT_MS_MAX = NODE_SILENT_BEATS * HEARTBEAT_MS;
/** A node that fronts ask for a heartbeat waits so long for others that ask. */
export const HELLO_MS = 20;
/** The data of a node that is gone count for so long: a decision that older data lack is not said to be missing. */
export const NODE_FORGOTTEN_MS = 3_600_000;
/** How often fronts look at the silence of nodes. */
export const NODE_CHECK_MS = 250;
/** A front waits so much longer than the node may take, for the way there and back. */
export const WAY_MS = 20;
/**
 * A request that is not answered after this long, or after the time that 95 of 100 of its base take, is sent to a second
 * node too, and after as long again to a third: at most one in twenty, and of a burst so many. With one of two replicas
 * stopped, 0 of 3,480 requests failed; among a thousand nodes of which 30 hang, 0 of 4,000.
 */
export const HEDGE_MS_MIN = 30;
export const HEDGE_SHARE = 0.05;
export const HEDGE_BURST = 40;
/** Requests to a node that go in one message: of the largest that NATS takes, 4 MB, a small part. */
export const ASKS_PER_MESSAGE_MAX = 64;
/** Answers to the bases of one search wait so long for each other, to go in one message. */
export const ANSWERS_GATHER_MS = 2;
/** Requests of a base that its slowness is estimated from. */
export const HEDGE_SAMPLES = 128;
/** A node of which a second node answered so many requests in a row first is silent until its next heartbeat. */
export const LOST_MAX = 3;
/** A request that nobody needs any more, and that its node does not answer, counts as its load for so long. */
export const UNANSWERED_MS_MAX = 10_000;
/**
 * While a front, or every node of a base, has lost its NATS server for no longer than this, requests wait, if there is
 * another server: in twelve kills of one of three it took them in after 1 to 8 ms, and without the wait requests of that
 * time were lost. A server that is alone needs 550 ms to start again, so then requests fail at once.
 */
export const RECONNECT_MS_MAX = 250;
/** How often a request looks whether a node is back that had lost its server. */
export const NODE_RETRY_MS = 20;
/** A node that stops still serves for this long, until fronts have heard of it. How often it looks whether all is answered. */
export const NODE_NEWS_MS = 100;
export const NODE_DRAIN_POLL_MS = 10;
/** Longest wait of a front's start for the broker; then it starts from the copies on its disk. */
export const SHARED_START_MS_MAX = 5_000;
/** A row that only older data lack is asked for again after so long: a node that switches needs 20 to 50 ms. */
export const NEWER_DATA_MS = 50;
/** Longest wait of a node's start for the settings of its cluster. In a new cluster there are none until a front is there. */
export const NODE_STATE_MS_MAX = 500;
/** Longest wait of a command for a NATS server. */
export const COMMAND_CONNECT_MS_MAX = 5_000;
/** Fronts have a new secret this long after its announcement; a front whose subscription is silent reads every 5 s. */
export const SECRET_SPREAD_MS = 7_000;
/** Longest wait for a copy of a bucket, of which each can answer. */
export const BUCKET_READ_MS_MAX = 2_000;
/** A bucket that could not be read is read again after so long: new servers need some seconds to choose a leader. */
export const BUCKET_RETRY_MS = 500;
