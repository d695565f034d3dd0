import { HttpClient, type Ask, type Reply } from '../../../src/tools/load/http-client.ts';
import { headerOf } from '../../../src/tools/load/http-reader.ts';
import { BIG } from '../measure/build.ts';
import { recordAsk, searchAsk } from '../measure/asks.ts';
import type { Finding, Row } from '../measure/finding.ts';
import { temporaryKey } from '../measure/ready.ts';
import type { Setting } from './measure-setting.ts';
import { countBy, countsText } from '../measure/stats.ts';

const PARALLEL = 500;
const ALLOWED = 100;
/** So long that the requests fall into one window, however slow the machine. */
const WINDOW_S = '3600';
const CLIENT_ADDRESS = '198.51.100.7';

/** Of 500 requests at once that a quota, or the per-IP limit, has room for 100 of, exactly 100 are served. */
export async function measureExact(setting: Setting): Promise<Finding> {
  setting.say('exact: quota and per-IP limit');
  const quota = await byQuota(setting);
  const ip = await byIp(setting);
  return { rows: [...quota, ...ip], details: null };
}

/** Searches and record reads share one counter. */
async function byQuota(setting: Setting): Promise<Row[]> {
  const { key, revoke } = temporaryKey('faults', setting.dataDir, ALLOWED);
  const service = await setting.start();
  try {
    const samples = await atOnce(service.url, asksWith(setting, key));
    service.needRunning();
    const left = new Set(samples.filter(isServed).map((sample) => remaining(sample)));
    return [
      row('quota: served of 500 at once', samples),
      {
        measure: 'quota: what is left, told once each',
        aim: String(ALLOWED),
        reached: `${left.size} different figures`,
        ok: left.size === ALLOWED,
      },
    ];
  } finally {
    revoke();
    await service.stop();
  }
}

/** The client's address is told by a proxy: what it took to see the service come up is not counted to it. */
async function byIp(setting: Setting): Promise<Row[]> {
  const service = await setting.start({
    IP_REQUESTS: String(ALLOWED),
    IP_WINDOW_S: WINDOW_S,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  try {
    const asks = asksWith(setting, setting.key, { from: CLIENT_ADDRESS });
    const samples = await atOnce(service.url, asks);
    service.needRunning();
    return [row('per-IP: served of 500 at once', samples)];
  } finally {
    await service.stop();
  }
}

/** Searches and reads by turns. */
function asksWith({ words }: Setting, key: string, more: Partial<Ask> = {}): Ask[] {
  return Array.from({ length: PARALLEL }, (_, at) => {
    const q = words.ordinary[at % words.ordinary.length] ?? 'dano';
    const ask = at % 2 === 0 ? recordAsk(key, BIG, 1) : searchAsk(key, q, 'recentes', BIG);
    return { ...ask, ...more };
  });
}

async function atOnce(url: string, asks: readonly Ask[]): Promise<Reply[]> {
  const client = new HttpClient(url, asks.length);
  try {
    await client.open(asks.length);
    return await Promise.all(asks.map((ask) => client.send(ask)));
  } finally {
    client.close();
  }
}

function row(measure: string, replies: readonly Reply[]): Row {
  const counts = countBy(replies, ({ result }) =>
    typeof result === 'string' ? result : String(result.status),
  );
  return {
    measure,
    aim: `${ALLOWED} exactly`,
    reached: countsText(counts),
    ok: counts['200'] === ALLOWED && counts['429'] === PARALLEL - ALLOWED,
  };
}

function isServed({ result }: Reply): boolean {
  return typeof result !== 'string' && result.status === 200;
}

/** What an answer says is left of the quota. */
function remaining({ result }: Reply): string {
  const told = typeof result === 'string' ? null : headerOf(result.head, 'ratelimit');
  return /r=(\d+)/u.exec(told ?? '')?.[1] ?? '';
}
