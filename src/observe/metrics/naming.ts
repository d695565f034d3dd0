/** Prefix of the service's own metrics; `process_*` are Prometheus's standard names for any process. */
export const PREFIX = 'jurisprudencia_';

/** Upper bounds, seconds. A base's windows are 1.5, 1 and 2 s unless set otherwise. */
export const SECONDS_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5,
];
