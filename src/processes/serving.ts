import type { Logger } from 'pino';
import type { BaseConfig } from '../config/config.ts';
import type { BaseKey } from '../config/settings.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Permits } from '../engine/expensive-work.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import type { Step } from '../engine/steps.ts';
import type { AdminPart } from '../admin/app.ts';
import type { IpLimit } from '../http/ip-limit.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Keys } from '../keys/ring.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';
import type { Traces } from '../observe/traces/traces.ts';
import type { ReadingTools } from '../query/parameters.ts';
import type { SearchPage } from '../search/page.ts';
import type { CursorSecrets } from '../query/cursor.ts';
import type { Pedido } from '../query/parameters.ts';
import type { CoverageActor } from '../search/coverage.ts';
import type { Quota } from '../shared/quota.ts';
import type { Supervisor } from '../search/supervisor.ts';
import type { Answered } from '../admin/console/service-counts.ts';
import type { Seen } from '../admin/console/search-picks.ts';
import type { Tuning, TuningOptions } from '../admin/console/tuning.ts';

/** A service that listens; `stop` lets requests under way end before it closes. */
export interface System {
  readonly url: string;
  /** Of the admin listener. */
  readonly adminUrl: string;
  /** Each base as it is at this moment, in all processes together. */
  readonly states: () => Readonly<Record<Base, BaseStatus>>;
  /** The settings that may change while it runs. */
  readonly tuning: Tuning;
  stop(): Promise<void>;
}

type CoverageReport = Pick<CoverageActor, 'current' | 'years'>;

/** What a front has in common with the rest of its cluster; what is absent it has for itself. */
export interface Shared {
  readonly basesElsewhere: NonNullable<ServingParts['basesElsewhere']>;
  readonly quota?: Quota;
  /** How far the clock of this host is ahead of the one that quotas go by. */
  readonly clockSkewMs?: () => number;
  readonly keys?: Keys;
  readonly keyStore?: KeyStore;
  /** Signs cursors. */
  readonly secrets?: CursorSecrets;
  /** @param calculated of the bases that are not published. */
  readonly coverage?: (calculated: CoverageReport) => CoverageReport;
  /** Has the settings of this process follow those of the cluster. @param here applies one in this process. */
  readonly follow?: (tuning: Tuning, here: Serving['change']) => void;
  /** Makes a base run with other settings everywhere. @param here does it in this process. */
  readonly change?: (here: Serving['change']) => Serving['change'];
  /** Makes a setting of the whole service hold everywhere. */
  readonly changeService?: TuningOptions['applyService'];
  /** Parts of the admin listener, and metrics. */
  readonly adminParts: readonly AdminPart[];
  readonly registerMetrics: Parameters<Metrics['registerMore']>[0];
  /** When the front serves no more. */
  stop(): Promise<void>;
}

/** What there is once, however many processes serve: each is of this process, or asks the parent. */
export interface ServingParts {
  readonly log: Logger;
  readonly quota: Quota;
  readonly keys: Keys;
  readonly ipLimit: Pick<IpLimit, 'refuse'>;
  readonly coverage: { readonly current: Cobertura };
  readonly figures: {
    noteStep(step: Step): void;
    noteAnswer(answered: Answered): void;
    noteSeen(seen: Seen): void;
    noteSearch(pedido: Pedido | null, page: SearchPage | null, steps: readonly Step[]): void;
  };
  readonly traces: Traces | null;
  /** Of this data folder where absent. */
  readonly secrets?: CursorSecrets | undefined;
  /** The bases, where they are not of this process. @param onStep called at the end of every request to one. */
  readonly basesElsewhere?: ((onStep: (step: Step) => void) => ReadonlyMap<Base, AskedBase>) | undefined;
  /** For expensive work, where other processes of this service have it in common. */
  readonly permits?: Permits;
  /** True where other processes of this service listen on the same port. */
  readonly reusePort: boolean;
  /** What a base's threads run, instead of `workers/main.ts`. */
  readonly workerEntry?: Partial<Record<Base, string>> | undefined;
}

/** The half of the service that answers the public: bases with threads of their own, and a listener. */
export interface Serving {
  readonly actors: ReadonlyMap<Base, AskedBase>;
  readonly supervisor: Supervisor;
  readonly reading: ReadingTools;
  readonly metrics: Metrics;
  /** @throws the system's error where the place cannot be had. */
  readonly listen: (at: { readonly hostname: string; readonly port: number }) => void;
  /** That it listens on. */
  readonly port: () => number;
  /** Opens the bases, so that the first search need not. */
  readonly open: () => void;
  /** Makes a base run with other settings. @returns the value of `key` in force then. */
  readonly change: (base: Base, settings: BaseConfig, key: BaseKey) => Promise<number>;
  readonly changeService: TuningOptions['applyService'];
  readonly states: () => Readonly<Record<Base, BaseStatus>>;
  /** Tells clients that their connections close, and lets requests under way end. */
  readonly drain: () => Promise<void>;
  readonly isStopping: () => boolean;
  readonly close: () => Promise<void>;
}
