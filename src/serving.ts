import type { Logger } from 'pino';
import type { AdminPart } from './admin/app.ts';
import type { Replica } from './admin/console/live-routes.ts';
import type { Figures } from './admin/console/figures.ts';
import type { Apply, Tuning } from './admin/console/tuning.ts';
import type { Config } from './config/config.ts';
import type { Cobertura } from './contract/cobertura.ts';
import type { Base } from './contract/vocabulary.ts';
import type { AskedBase } from './engine/base-actor.ts';
import type { BaseStatus } from './engine/messages.ts';
import type { LatestRequests } from './http/latest-requests.ts';
import type { KeyStore } from './keys/store.ts';
import type { Keys } from './keys/ring.ts';
import type { Registry } from './observe/tally-set.ts';
import type { Traces } from './observe/traces/open.ts';
import type { Following } from './replicas/files/follow.ts';
import type { CursorSecrets } from './query/cursor.ts';
import type { Quota } from './shared/quota.ts';

/** A service that listens; `stop` lets running requests end before it closes. */
export interface System {
  readonly url: string;
  readonly adminUrl: string;
  /** The current status of each base. */
  readonly states: () => Readonly<Record<Base, BaseStatus>>;
  readonly tuning: Tuning;
  stop(): Promise<void>;
}

/** What replicas of a service have in common; a single process has it in memory and in its data folder. */
export interface Shared {
  readonly quota: Quota;
  readonly keys: Keys;
  readonly keyStore: KeyStore;
  readonly secrets: CursorSecrets;
  readonly settings: SharedSettings;
  /** The other live replicas; null for a single process. */
  readonly replicas: () => readonly Replica[] | null;
  /** Further parts of `/health/ready`. */
  readonly health: () => Readonly<Record<string, unknown>>;
  readonly registerMetrics: (registry: Registry) => void;
  /** Tells the others of this replica, from now on. */
  readonly announce: (describe: () => Replica) => void;
  stop(): Promise<void>;
}

/** Settings that a console changes. @param here applies a change in this process. */
export interface SharedSettings {
  readonly apply: (here: Serving['change']) => Serving['change'];
  /** Takes the changes made on other replicas. */
  readonly follow: (tuning: Tuning, here: Serving['change']) => void;
}

/** The public half of a service: bases and a listener. */
export interface Serving {
  readonly actors: ReadonlyMap<Base, AskedBase>;
  readonly quota: Quota;
  readonly metrics: AdminPart;
  readonly search: AdminPart;
  /** @throws system errors if the address is unavailable. */
  readonly listen: (at: { readonly hostname: string; readonly port: number }) => void;
  readonly port: () => number;
  /** Opens the bases, so that the first search need not. */
  readonly open: () => void;
  /** Applies a setting here. */
  readonly change: Apply;
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
    readonly latest: Pick<LatestRequests, 'add'>;
    readonly traces: Traces | null;
    /** Published base files, if they are followed. */
    readonly files: Following | null;
    /** For tests: the file that a base's threads run instead of `workers/main.ts`. */
    readonly workerEntry?: Partial<Record<Base, string>>;
  },
) => Serving;
