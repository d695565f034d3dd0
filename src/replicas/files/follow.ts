import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { BaseCobertura } from '../../contract/cobertura.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { Asker } from '../../engine/asker.ts';
import { BaseActor, type BaseActorOptions } from '../../engine/base-actor.ts';
import type { BaseRequest, ReplyTo, Unbudgeted } from '../../engine/messages.ts';
import { failed, type Outcome } from '../../engine/outcome.ts';
import { Follower } from './follower.ts';
import type { FollowedFile } from '../../observe/metrics/states.ts';
import { storeAt, withoutSecret } from './store.ts';

/** What the rest of the service sees of followed files. */
export interface Following {
  /** An actor that knows that its file may be older than published data. */
  readonly actor: (options: BaseActorOptions) => BaseActor;
  /** Begins to follow. @param onCoverage called with the coverage of the data that are served, as published. */
  readonly start: (isDown: (base: Base) => boolean, onCoverage: (report: BaseCobertura) => void) => void;
  readonly states: () => Readonly<Partial<Record<Base, FollowedFile>>>;
  readonly close: () => Promise<void>;
}

/** Follows the files of all bases that are published at `BASES_URL`. @throws PlainError for an address of no known kind. */
export function followFiles(
  config: Pick<Config, 'bases_url' | 'data_dir'>,
  log: Logger,
  clock: Clock = systemClock,
): Following {
  const url = config.bases_url;
  const store = storeAt(url);
  const followers = new Map<Base, Follower>();
  log.info({ bases_url: withoutSecret(url) }, 'base files followed');
  return {
    actor: (options) => new FollowedActor(options, () => followers.get(options.base)),
    start: (isDown, onCoverage) => {
      for (const base of BASES)
        followers.set(
          base,
          new Follower({
            base,
            dataDir: config.data_dir,
            url,
            store,
            clock,
            isDown: () => isDown(base),
            onServed: ({ coverage }) => {
              onCoverage(coverage);
            },
            log,
          }),
        );
    },
    states: () => Object.fromEntries([...followers].map(([base, follower]) => [base, follower.state()])),
    close: async () => {
      await Promise.all([...followers.values()].map((follower) => follower.close()));
    },
  };
}

/** A base whose replicas may have newer data: what newer data may have is not answered from older data. */
export class FollowedActor extends BaseActor {
  readonly #follower: () => Pick<Follower, 'mayLack'> | undefined;

  constructor(options: BaseActorOptions, follower: () => Pick<Follower, 'mayLack'> | undefined) {
    super(options);
    this.#follower = follower;
  }

  override async ask<R extends BaseRequest>(
    request: Unbudgeted<R>,
    deadline: number,
    asker: Asker = {},
  ): Promise<Outcome<ReplyTo<R>>> {
    const outcome = await super.ask<R>(request, deadline, asker);
    if (!outcome.ok) return outcome;
    const reply = outcome.value;
    if (reply.generation < generationOf(request)) return failed('unavailable', 'the page is of newer data');
    const lacks = 'rows' in reply && reply.rows.includes(null);
    if (lacks && this.#follower()?.mayLack(reply) !== false)
      return failed('unavailable', 'newer data may have it');
    return outcome;
  }
}

/** The generation of the data that a place in the results, or row numbers, came from. */
function generationOf(request: Unbudgeted<BaseRequest>): number {
  if (request.kind === 'search') return request.after?.generation ?? 0;
  return request.kind === 'read' ? (request.generation_min ?? 0) : 0;
}
