import type { Body } from '../support/service.ts';
import { until } from '../tools/faults/support-poll.ts';

/** A service, and a key of it. */
export interface Asked {
  readonly url: string;
  readonly key: string;
}

export const BUSCA = '/v1/jurisprudencia/busca?';
const WORDS = ['dano', 'moral', 'contrato', 'recurso', 'multa', 'pena', 'tributo', 'prazo', 'banco', 'prova'];
const SEARCHES = WORDS.flatMap((one, at) =>
  WORDS.slice(at + 1).map((other) => `${BUSCA}q=${one}+${other}&limite=${5 + (at % 3) * 5}`),
);
const LEARN_TRIES_MAX = 50;

export function get({ url, key }: Asked, path: string): Promise<Response> {
  return fetch(url + path, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(60_000),
  });
}

/** Searches and reads of records at a fixed rate, whatever the answers; each answer is compared with those of one process. */
export class CheckedLoad {
  readonly #service: Asked;
  readonly #alone: Asked;
  readonly #rates: { readonly searches: number; readonly reads: number };
  readonly #right = new Map<string, Set<string>>();
  #records: readonly string[] = [];
  #asked = 0;
  #cancel: () => void = () => undefined;
  /** The number of answers of each kind (`same`, or what was wrong), and their times, milliseconds. */
  #kinds: Record<string, number> = {};
  #ms: number[] = [];

  constructor(service: Asked, alone: Asked, rates: { readonly searches: number; readonly reads: number }) {
    this.#service = service;
    this.#alone = alone;
    this.#rates = rates;
  }

  /** Learns the right answers from the single process. After its data change, earlier answers stay right too, and no new record is read. */
  async learn(): Promise<void> {
    for (const path of SEARCHES) await this.#learn(path);
    if (this.#records.length === 0) {
      const texts = SEARCHES.flatMap((path) => [...(this.#right.get(path) ?? [])]);
      const ids = new Set(texts.flatMap((text) => (JSON.parse(text) as Body).itens.map(({ id }) => id)));
      this.#records = [...ids].slice(0, 100).map((id) => `/v1/jurisprudencia/${encodeURIComponent(id)}`);
    }
    for (const path of this.#records) await this.#learn(path);
  }

  start(): void {
    const since = performance.now();
    const { searches, reads } = this.#rates;
    let [sent, read] = [0, 0];
    const timer = setInterval(() => {
      const seconds = (performance.now() - since) / 1_000;
      for (; sent < seconds * searches; sent += 1) void this.#ask(SEARCHES[sent % SEARCHES.length] ?? '');
      for (; read < seconds * reads; read += 1)
        void this.#ask(this.#records[read % this.#records.length] ?? '');
    }, 5);
    this.#cancel = () => {
      clearInterval(timer);
    };
  }

  /** Waits until as many answers arrived as are due in so many seconds. */
  async seconds(seconds: number): Promise<void> {
    const wanted = this.#ms.length + seconds * (this.#rates.searches + this.#rates.reads);
    await until('more answers came', () => this.#ms.length >= wanted);
  }

  /** Ends with the last answer. @returns what came, and the figures in words. */
  async stop(): Promise<{ readonly kinds: Readonly<Record<string, number>>; readonly said: string }> {
    this.#cancel();
    await until('all were answered', () => this.#ms.length === this.#asked);
    const [kinds, ms] = [this.#kinds, this.#ms.toSorted((a, b) => a - b)];
    const at = (part: number) => `${Math.round(ms[Math.ceil(ms.length * part) - 1] ?? 0)} ms`;
    const said = `${ms.length} answers ${JSON.stringify(kinds)}, p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}`;
    [this.#kinds, this.#ms, this.#asked] = [{}, [], 0];
    return { kinds, said };
  }

  async #learn(path: string): Promise<void> {
    const known = this.#right.get(path) ?? new Set();
    this.#right.set(path, known);
    for (let tries = 0; tries < LEARN_TRIES_MAX; tries += 1) {
      const text = comparable(await (await get(this.#alone, path)).text());
      if (lackOf(text) === null) return void known.add(text);
    }
    throw new Error(`one process gives no whole answer to ${path}`);
  }

  async #ask(path: string): Promise<void> {
    this.#asked += 1;
    const since = performance.now();
    const kind = await this.#kindOf(path).catch((error: unknown) => `lost: ${String(error)}`);
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    this.#ms.push(performance.now() - since);
  }

  async #kindOf(path: string): Promise<string> {
    const response = await get(this.#service, path);
    const text = comparable(await response.text());
    if (response.status !== 200) return `status ${response.status}`;
    return this.#right.get(path)?.has(text) === true ? 'same' : (lackOf(text) ?? `other: ${path}`);
  }
}

function comparable(text: string): string {
  return text.replaceAll(/"ms":[\d.]+/gu, '"ms":0');
}

/** What an answer reports as missing, because the machine was busy; null if nothing. */
function lackOf(text: string): string | null {
  if (text.includes('"tempo_esgotado":')) return 'not whole, as it says';
  return text.includes('"ordem_aplicada":"recentes"') ? 'by date, as it says' : null;
}
