import { LAST_EVENTS_MS, REPORT_MS } from '../config/limits.ts';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createAdminApp } from '../admin/app.ts';
import { Figures } from '../admin/console/figures.ts';
import { consolePart } from '../admin/console/part.ts';
import { Tuning } from '../admin/console/tuning.ts';
import { healthPart } from '../admin/health.ts';
import { openapiPart } from '../admin/openapi.ts';
import { readConfig, type Config } from '../config/config.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { forEachOf } from '../contract/records.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { systemClock } from '../engine/clock.ts';
import { expensiveAtOnce } from '../engine/expensive-work.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import { IpLimit } from '../http/ip-limit.ts';
import { folderKeys } from '../keys/key-store.ts';
import { KeyRing, type ValidKey } from '../keys/ring.ts';
import { Metrics } from '../observe/metrics/metrics.ts';
import { LoadMeter } from '../observe/process-load.ts';
import { PlainError } from '../process/fail.ts';
import { authority, listenAt, reachable } from '../process/listen.ts';
import { CoverageActor } from '../search/coverage.ts';
import { MemoryCounters } from '../shared/counters.ts';
import { SharedQuota } from '../shared/quota.ts';
import { cursorSecret } from '../start/secret.ts';
import { Children, type Question } from './children.ts';
import { VERSION, type Counts, type Counted, type Report, type ToChild } from './messages.ts';
import { metricsPart } from './metrics-part.ts';
import type { System } from './serving.ts';
import { SummedLoad } from './summed-load.ts';

/**
 * The service as a parent process with children: it holds what there must be one of (quota, per-IP counts, keys, settings,
 * coverage, the admin listener), and they serve. @throws PlainError where the service cannot start.
 */
export async function startParent(config: Config, log: Logger): Promise<System> {
  refuseOtherSystems(process.platform);
  // Once, before all children ask for it.
  cursorSecret(config.data_dir);
  const parent = new Parent(config, log);
  await parent.start();
  return parent;
}

/** Elsewhere the port is not shared, or all connections go to one process. @throws PlainError */
export function refuseOtherSystems(platform: string): void {
  if (platform === 'linux') return;
  throw new PlainError(
    `PROCESSES: several processes share a port on Linux only, not on ${platform}; set it to 1`,
  );
}

type Bases = Config['bases'];

class Parent implements System {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #counters = new MemoryCounters();
  readonly #quota = new SharedQuota({ clock: systemClock, counters: this.#counters, peers: () => 1 });
  readonly #ipLimit: IpLimit;
  readonly #keys: KeyRing;
  readonly #metrics = new Metrics(systemClock);
  readonly #meter = new LoadMeter(systemClock);
  readonly #load = new SummedLoad(this.#meter);
  readonly #children: Children;
  readonly #figures: Figures;
  readonly #coverage: CoverageActor;
  readonly #admin: ReturnType<typeof createAdminApp>;
  readonly tuning: Tuning;
  #port: number;
  /** As children begin with them: a change is in it before it is in force everywhere. */
  #bases: Bases;
  #expensiveAtOnce: number;
  #sent: { readonly keys: readonly ValidKey[]; readonly coverage: CoverageActor['current'] };
  #isStopping = false;
  #takeLookBack: () => void = () => undefined;

  constructor(config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#port = config.port;
    this.#bases = config.bases;
    this.#expensiveAtOnce = config.expensive_at_once;
    this.#ipLimit = new IpLimit(config.ip_requests, config.ip_window_s);
    this.#keys = new KeyRing(config.data_dir, systemClock, ({ file, reason }) => {
      log.error({ file, reason }, 'keys cannot be read');
    });
    this.#children = new Children({
      clock: systemClock,
      log,
      count: config.processes,
      start: (process) => this.#startMessage(process),
      answer: (said) => this.#answer(said),
      expensiveAtOnce: expensiveAtOnce(config.expensive_at_once),
      onReport: (report) => {
        this.#take(report);
      },
    });
    this.#figures = new Figures(
      systemClock,
      (base) => this.#children.statusOf(base),
      () => this.#load.take(this.#children.loads(), config.processes),
      config.slow_ms,
    );
    this.#coverage = this.#createCoverage();
    this.#sent = { keys: this.#keys.refresh(), coverage: this.#coverage.current };
    this.tuning = new Tuning({
      clock: systemClock,
      start: config,
      restart: () => readConfig(config.environment),
      machine: {
        cores: availableParallelism(),
        processes: config.processes,
        typicalMs: (base) => this.#figures.typicalMs(base),
      },
      apply: (...change) => this.#change(...change),
      applyService: (_, value) => {
        this.#expensiveAtOnce = value;
        this.#children.changeExpensive(value);
        return Promise.resolve();
      },
    });
    this.#admin = this.#createAdmin();
  }

  get url(): string {
    return `http://${authority(reachable(this.#config.host), this.#port)}`;
  }

  get adminUrl(): string {
    const { admin_host, admin_port } = this.#config;
    return `http://${authority(reachable(admin_host), this.#admin.server?.port ?? admin_port)}`;
  }

  readonly states = (): Readonly<Record<Base, BaseStatus>> =>
    forEachOf(BASES, (base) => this.#children.statusOf(base));

  async start(): Promise<void> {
    await this.#findPort();
    await this.#children.start();
    this.#figures.start();
    this.#coverage.start();
    this.#look();
  }

  async stop(): Promise<void> {
    this.#coverage.close();
    this.#isStopping = true;
    await this.#children.stop(this.#config.shutdown_ms);
    this.#takeLookBack();
    this.#figures.close();
    // Until now it has said that the service is stopping; what it streams ends a moment later.
    await Bun.sleep(LAST_EVENTS_MS);
    await this.#admin.server?.stop(true);
    this.#metrics.close();
    this.#meter.close();
  }

  /**
   * Listens for the operator, and for a moment at the public port, alone: two processes that share a port would share it
   * with any other service too, in silence.
   */
  async #findPort(): Promise<void> {
    let probe: Bun.Server<undefined> | null = null;
    listenAt(
      this.#config,
      (at) => this.#admin.listen(at),
      (at) => {
        probe = Bun.serve({ ...at, reusePort: false, fetch: () => new Response(null, { status: 503 }) });
        this.#port = probe.port ?? at.port;
      },
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- assigned by now, which the compiler cannot see
    await (probe as Bun.Server<undefined> | null)?.stop(true);
  }

  #startMessage(process: number): ToChild {
    const config = {
      ...this.#config,
      port: this.#port,
      bases: this.#bases,
      expensive_at_once: this.#expensiveAtOnce,
    };
    const { keys, coverage } = this.#sent;
    return { kind: 'start', v: VERSION, process, config, keys: [...keys], coverage };
  }

  #answer(said: Question): ToChild {
    if (said.kind === 'counts') return this.#count(said);
    const key = this.#keys.findById(said.key);
    // Before the answer: the next request with it comes before the next look.
    if (key !== null) this.#tellChildren();
    return { kind: 'found', id: said.id, key };
  }

  #count({ id, counters, clients }: Counts): Counted {
    return {
      kind: 'counted',
      id,
      counters: counters.map(([name, units]) => this.#counters.add(name, units)),
      clients: clients.map(([client, requests]) => {
        const { counted, endsInMs } = this.#ipLimit.add(client, requests);
        return [counted, endsInMs];
      }),
    };
  }

  #take({ bases, service, load, keys, searches }: Report): void {
    this.#figures.noteServedElsewhere(service);
    this.#figures.noteSeenElsewhere(keys, searches);
    this.#load.note(load);
    for (const base of BASES) this.#figures.noteElsewhere(base, bases[base]);
  }

  /** All children or none: where one cannot, the others go back to what was. */
  async #change(...[base, settings, key]: Parameters<Children['change']>): Promise<number> {
    const before = this.#bases[base];
    this.#bases = { ...this.#bases, [base]: settings };
    if (await this.#children.change(base, settings, key)) return settings[key];
    this.#bases = { ...this.#bases, [base]: before };
    await this.#children.change(base, before, key);
    return before[key];
  }

  #createCoverage(): CoverageActor {
    const bases = new Map(BASES.map((base) => [base, { ask: this.#cover(base) }]));
    return new CoverageActor({
      clock: systemClock,
      file: join(this.#config.data_dir, 'cobertura.json'),
      bases,
      log: (event, detail) => {
        this.#log.warn(detail, event);
      },
    });
  }

  /** Coverage asks for nothing but its slices. */
  #cover(base: Base): AskedBase['ask'] {
    type Request = Parameters<Children['cover']>[1];
    const ask = (request: Request, budgetMs: number) => this.#children.cover(base, request, budgetMs);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the requests of one kind are answered by that kind
    return ask as unknown as AskedBase['ask'];
  }

  #createAdmin(): ReturnType<typeof createAdminApp> {
    const config = this.#config;
    const statusOf = (base: Base) => this.#children.statusOf(base);
    const processes = () => this.#children.states();
    return createAdminApp({
      host: config.admin_host,
      token: config.admin_token,
      parts: [
        healthPart({
          bases: new Map(BASES.map((base) => [base, { status: () => statusOf(base) }])),
          isStopping: () => this.#isStopping,
          processes,
        }),
        openapiPart(() => this.url),
        metricsPart(this.#metrics, this.#children),
        consolePart({
          log: this.#log,
          clock: systemClock,
          statusOf,
          figures: this.#figures,
          tuning: this.tuning,
          coverage: this.#coverage,
          quota: this.#quota,
          quotaPerDay: config.quota_per_day,
          slowMs: config.slow_ms,
          dataDir: config.data_dir,
          keyStore: folderKeys(config.data_dir, 0),
          configFile: join(config.data_dir, 'config.toml'),
          processes,
          search: async (query) =>
            (await this.#children.search(query)) ?? {
              status: 503,
              erro: 'nenhum processo respondeu; espere um segundo e repita',
            },
        }),
      ],
      log: this.#log,
    });
  }

  /** Tells them what has changed on disk, or by the calculation. */
  #tellChildren(): void {
    const keys = this.#keys.refresh();
    const coverage = this.#coverage.current;
    const before = this.#sent;
    this.#sent = { keys, coverage };
    if (JSON.stringify(keys) !== JSON.stringify(before.keys))
      this.#children.broadcast({ kind: 'keys', keys: [...keys] });
    if (coverage !== before.coverage) this.#children.broadcast({ kind: 'coverage', coverage });
  }

  #look(): void {
    this.#tellChildren();
    this.#takeLookBack = systemClock.after(REPORT_MS, () => {
      this.#look();
    });
  }
}
