import { join } from 'node:path';
import { BASES } from '../../../src/contract/enums.ts';
import { coverageAsk, recordAsk, searchAsk } from '../measure/asks.ts';
import { info, type Row } from '../measure/finding.ts';
import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import { ProcessProbe } from '../measure/process.ts';
import { ROOT, type ServiceChild } from '../measure/service.ts';
import { cpuOf, interleaved, ratioOf, short, spreadOf, spreadText, type Cost } from './cost.ts';
import {
  loadCost,
  withService,
  type Bench,
  type BenchFinding,
  type LoadCost,
  type Running,
} from './setting.ts';

const CONNECTIONS = 32;
const RECORDS = 200;
const AIMS = { cobertura: 0.6, records: 0.15 } as const;

/** `cobertura` and record reads beside a bare route of the same framework that returns the same bytes. */
export async function measureRoutes(bench: Bench): Promise<BenchFinding> {
  const set = await bench.six(false);
  const rows: Row[] = [];
  const details: Record<string, unknown> = { generator: bench.generator };
  await withService(set, bench, async (running) => {
    const records = Array.from({ length: Math.min(RECORDS, set.decisions) }, (_, at) =>
      recordAsk(running.key, BASES[at % BASES.length] ?? 'stj', 1 + Math.floor(at / BASES.length)),
    );
    const kinds = { cobertura: [coverageAsk()], records };
    const bare = await startBare(await bodiesOf(running, [...kinds.cobertura, ...records]));
    try {
      for (const name of ['cobertura', 'records'] as const) {
        bench.say(`routes: ${name}`);
        const sides = [running.service, bare].map((of) => ({
          name,
          run: () =>
            loadCost(of, {
              asks: kinds[name],
              connections: CONNECTIONS,
              seconds: bench.seconds,
              generator: bench.generator,
            }),
        }));
        for (const side of sides) await side.run();
        const [own = [], least = []] = await interleaved(bench.rounds, sides);
        rows.push(...rowsOf(name, own, least));
        details[name] = { own, bare: least };
      }
    } finally {
      bare.stop();
    }
    bench.say('routes: gzip');
    const [zipped, plain] = await gzipCosts(bench, running);
    rows.push(
      info('page of 50, gzip to plain: CPU', spreadText(ratioOf(zipped, plain))),
      info('  kB sent', [zipped, plain].map(([first]) => short((first?.bytes ?? 0) / 1000)).join(' and ')),
      info('  CPU ms', [zipped, plain].map((costs) => spreadText(cpuOf(costs))).join(' and ')),
    );
    details['gzip'] = { zipped, plain };
  });
  return { rows, details };
}

interface PageCost extends Cost {
  /** Of the body, as it was sent. */
  readonly bytes: number;
}

/** A page of 50 that the result cache has, one after the other, as clients get it that accept gzip and that do not. */
async function gzipCosts({ rounds, seconds, queries }: Bench, { service, key }: Running) {
  const { path } = searchAsk(key, queries.commonest, 'recentes', null, 50);
  const sides = ['gzip', 'identity'].map((coding) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': coding };
    return {
      name: coding,
      run: async (): Promise<PageCost> => {
        const [before, startedAt] = [service.probe.fineCpuMs(), performance.now()];
        let [count, bytes] = [0, 0];
        do {
          const response = await fetch(service.url + path, { headers, decompress: false });
          bytes = (await response.arrayBuffer()).byteLength;
          if (response.status !== 200) throw new Error(`${path} was answered: ${response.status}`);
          count += 1;
        } while (performance.now() - startedAt < seconds * 1000);
        const wallMs = (performance.now() - startedAt) / count;
        return { bytes, wallMs, cpuMs: (service.probe.fineCpuMs() - before) / count };
      },
    };
  });
  for (const side of sides) await side.run();
  const [zipped = [], plain = []] = await interleaved(rounds, sides);
  return [zipped, plain] as const;
}

function rowsOf(name: keyof typeof AIMS, own: readonly LoadCost[], bare: readonly LoadCost[]): Row[] {
  // Rates, so the other way about than times.
  const rate = ratioOf(bare, own, 'wallMs');
  const rates = [own, bare].map((costs) =>
    short(spreadOf(costs.map(({ load }) => load.requests / load.seconds)).median),
  );
  const failed = own.reduce((sum, { load }) => sum + load.failed, 0);
  const share = spreadOf(own.map(({ load }) => load.generatorCpuMs / (load.seconds * 1000)));
  return [
    {
      measure: `${name}: rate to a bare route`,
      aim: `>= ${AIMS[name]}`,
      reached: spreadText(rate),
      ok: rate.median >= AIMS[name] && failed === 0,
    },
    info('  by CPU a request, bare to own', spreadText(ratioOf(bare, own))),
    info('  requests/s, own and bare', rates.join(' and ')),
    info('  generator, and not 200', `${spreadText(share)} cores, ${failed}`),
  ];
}

/** Each path's body as the service gives it. */
async function bodiesOf({ service }: Running, asks: readonly Ask[]): Promise<Record<string, string>> {
  const client = new HttpClient(service.url, 1);
  const bodies: Record<string, string> = {};
  for (const ask of asks) {
    const { result } = await client.send(ask);
    if (typeof result === 'string' || result.status !== 200) throw new Error(`${ask.path} has no answer`);
    bodies[ask.path] = result.body.toString();
  }
  client.close();
  return bodies;
}

async function startBare(
  bodies: Readonly<Record<string, string>>,
): Promise<Pick<ServiceChild, 'url' | 'probe'> & { stop: () => void }> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'test/tools/bench/bare-elysia.ts')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
    stdin: Buffer.from(JSON.stringify(bodies)),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const stop = () => {
    child.kill('SIGKILL');
  };
  process.once('exit', stop);
  let out = '';
  for await (const chunk of child.stdout) {
    out += Buffer.from(chunk).toString();
    if (out.includes('\n')) break;
  }
  const url = /Serving at (\S+)/u.exec(out)?.[1];
  if (url === undefined) throw new Error('the bare server did not start');
  return {
    url,
    probe: new ProcessProbe(child.pid),
    stop: () => {
      process.off('exit', stop);
      stop();
    },
  };
}
