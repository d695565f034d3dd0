import type { Logger } from 'pino';
import type { AdminPart } from '../admin/app.ts';
import type { Figures } from '../admin/console/figures.ts';
import type { ConsoleSearch } from '../admin/console/search-routes.ts';
import type { Tuning, TuningOptions } from '../admin/console/tuning.ts';
import type { BaseConfig, Config } from '../config/config.ts';
import type { BaseKey } from '../config/settings.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Permits } from '../engine/expensive-work.ts';
import type { BaseStatus } from '../engine/messages.ts';
import type { Step } from '../engine/steps.ts';
import type { IpLimit } from '../http/ip-limit.ts';
import type { KeyStore } from '../keys/store.ts';
import type { Keys } from '../keys/ring.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';
import type { Traces } from '../observe/traces/open.ts';
import type { CursorSecrets } from '../query/cursor.ts';
import type { CoverageActor } from '../search/coverage.ts';
import type { Quota } from '../shared/quota.ts';

/** A service that listens; `stop` lets running requests end before it closes. */
export interface System {
  readonly url: string;
  readonly adminUrl: string;
  /** The current status of each base, merged over all processes. */
  readonly states: () => Readonly<Record<Base, BaseStatus>>;
  readonly tuning: Tuning;
  stop(): Promise<void>;
}

type CoverageReport = Pick<CoverageActor, 'current' | 'years'>;

/** What a child shares with the parent, or a front with the cluster. Absent parts are created locally. */
export interface Shared {
  readonly quota?: Quota;
  /** How far this host's clock is ahead of the clock for quotas. */
  readonly clockSkewMs?: () => number;
  readonly keys?: Keys;
  readonly keyStore?: KeyStore;
  readonly secrets?: CursorSecrets;
  readonly ipLimit?: Pick<IpLimit, 'refuse'>;
  readonly permits?: Permits;
  /** True while several keys ask, over all processes on this machine. */
  readonly severalKeys?: () => boolean;
  readonly reusePort?: boolean;
  /** Bases in other processes. @param onStep called at the end of every request to them. */
  readonly basesElsewhere?: (onStep: (step: Step) => void) => ReadonlyMap<Base, AskedBase>;
  /** @param calculated coverage of the bases that are not published. */
  readonly coverage?: (calculated: CoverageReport) => CoverageReport;
  /** Keeps settings equal to the cluster's. @param here applies a setting in this process. */
  readonly follow?: (tuning: Tuning, here: Serving['change']) => void;
  /** Applies a base's settings everywhere. @param here applies them in this process. */
  readonly change?: (here: Serving['change']) => Serving['change'];
  readonly changeService?: TuningOptions['applyService'];
  readonly adminParts?: readonly AdminPart[];
  readonly registerMetrics?: Parameters<Metrics['registerMore']>[0];
  stop?(): Promise<void>;
}

/** The public half of a service: bases and a listener. */
export interface Serving {
  readonly actors: ReadonlyMap<Base, AskedBase>;
  readonly quota: Quota;
  readonly metrics: Metrics;
  readonly search: ConsoleSearch;
  /** @throws system errors if the address is unavailable. */
  readonly listen: (at: { readonly hostname: string; readonly port: number }) => void;
  readonly port: () => number;
  /** Opens the bases, so that the first search need not. */
  readonly open: () => void;
  /** Applies a base's settings. @returns the current value of `key` afterwards. */
  readonly change: (base: Base, settings: BaseConfig, key: BaseKey) => Promise<number>;
  readonly changeService: TuningOptions['applyService'];
  readonly states: () => Readonly<Record<Base, BaseStatus>>;
  /** Announces to clients that connections close, and finishes running requests. */
  readonly drain: () => Promise<void>;
  readonly isStopping: () => boolean;
  readonly close: () => Promise<void>;
}

/** Wires the public half. @param observed the shown values, and the observers of answers. */
export type CreateServing = (
  config: Config,
  log: Logger,
  shared: Shared,
  observed: {
    readonly coverage: { readonly current: Cobertura };
    readonly figures: Pick<Figures, 'tallies' | 'noteSeen'>;
    readonly traces: Traces | null;
    /** For tests: the file that a base's threads run instead of `workers/main.ts`. */
    readonly workerEntry?: Partial<Record<Base, string>>;
  },
) => Serving;
