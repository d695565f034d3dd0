import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import { closedLoop, inTurn, latency, verdictOf, type Sample } from '../measure/load.ts';
import { percentile } from '../measure/stats.ts';
import { runProgram } from '../../support/run.ts';
import { Scratch } from '../measure/build.ts';

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Requests that were not answered 200, or by a search that lacks a base. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly generatorCpuMs: number;
}

export interface LoadWish {
  readonly url: string;
  readonly asks: readonly Ask[];
  readonly connections: number;
  readonly seconds: number;
  readonly generator: Generator;
  /** Whether every base must have answered in the order that was asked, relevance. */
  readonly byRelevance?: boolean;
}

export const GENERATORS = ['wrk', 'own'] as const;
export type Generator = (typeof GENERATORS)[number];

/** `wrk` where it is installed, else a client of our own, which takes more of the machine for itself. */
export const GENERATOR_DEFAULT: Generator = Bun.which('wrk') === null ? 'own' : 'wrk';

/** Sends the requests round and round, each connection again once it is answered. */
export function runLoad(wish: LoadWish): Promise<Load> {
  return wish.generator === 'wrk' ? byWrk(wish) : byOwnClient(wish);
}

/** Checks every answer: one that lacks a base costs little, and must not pass for a quick one. */
const SCRIPT = `
local requests, at = {}, 0
failed = 0
local by_relevance = false
function init(args)
  by_relevance = args[2] == "relevancia"
  local key
  for line in io.lines(args[1]) do
    if key == nil then key = line
    else
      local headers = {}
      if key ~= "" then headers["Authorization"] = "Bearer " .. key end
      requests[#requests + 1] = wrk.format("GET", line, headers)
    end
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function response(status, headers, body)
  if status ~= 200 or body:find('"bases_sem_resposta":[{', -2400, true)
    or (by_relevance and body:find('"ordem_aplicada":"recentes"', -2400, true)) then failed = failed + 1 end
end
local threads = {}
function setup(thread) table.insert(threads, thread) end
function done(summary, latency, requests)
  local bad = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do bad = bad + thread:get("failed") end
  io.write(string.format('\\nBENCH {"requests":%d,"seconds":%f,"failed":%d,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests, summary.duration / 1e6, bad, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`;

async function byWrk({ url, asks, connections, seconds, byRelevance = false }: LoadWish): Promise<Load> {
  using scratch = new Scratch(tmpdir(), 'jurisprudencia-load');
  const script = join(scratch.folder, 'load.lua');
  const list = join(scratch.folder, 'requests.txt');
  writeFileSync(script, SCRIPT);
  // The key goes by a file of this user's alone: a command line is for everybody to read.
  const lines = [asks[0]?.key ?? '', ...asks.map(({ path }) => path)];
  writeFileSync(list, `${lines.join('\n')}\n`, { mode: 0o600 });
  const duration = `${Math.max(1, Math.round(seconds))}s`;
  const how = ['-t1', `-c${connections}`, `-d${duration}`, '--timeout', '30s', '-s', script];
  const run = await runProgram(['wrk', ...how, url, '--', list, byRelevance ? 'relevancia' : 'any']);
  const json = /^BENCH (.*)$/mu.exec(run.text)?.[1];
  if (json === undefined) throw new Error(`wrk said no figures: ${run.text}`);
  // Written by the script above.
  const figures = JSON.parse(json) as Omit<Load, 'generatorCpuMs'>;
  return { ...figures, generatorCpuMs: run.cpuMs };
}

async function byOwnClient({
  url,
  asks,
  connections,
  seconds,
  byRelevance = false,
}: LoadWish): Promise<Load> {
  using client = new HttpClient(url, connections);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const samples = await closedLoop(client, connections, inTurn(asks), () => performance.now() > until);
  const { user, system } = process.cpuUsage(cpu);
  // Of all, as `wrk` gives them: failures are counted apart, and may be what was to be measured.
  const times = samples.map(latency);
  return {
    requests: samples.length,
    seconds: (performance.now() - startedAt) / 1000,
    failed: samples.filter(
      (sample) => verdictOf(sample) !== 'complete' || (byRelevance && isFallback(sample)),
    ).length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    generatorCpuMs: (user + system) / 1000,
  };
}

/** Whether some base answered by recency. */
export function isFallback({ result }: Sample): boolean {
  return typeof result !== 'string' && result.body.includes('"ordem_aplicada":"recentes"');
}
