import type { Busca } from '../../../src/contract/busca.ts';
import type { Documento } from '../../../src/contract/documento.ts';
import type { Erro } from '../../../src/contract/erro.ts';
import { ERROS, type Codigo } from '../../../src/contract/recusa.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { newKey } from '../../../src/keys/key.ts';
import { PlainError } from '../../../src/process/fail.ts';
import type { Ask } from '../../../src/tools/load/http-client.ts';
import { pick } from '../../../src/tools/load/random.ts';
import { fetchChecked } from '../../support/documented.ts';
import { abandon, recordAsk, searchAsk } from '../measure/load.ts';
import type { Words } from '../measure/words.ts';

export interface World {
  readonly url: string;
  readonly key: string;
  readonly words: Words;
  readonly random: () => number;
  /** Ids that searches gave, the newest last: what a reader reads on. */
  readonly ids: string[];
  /** Searches that named a base as not answering: the truth, but no full answer. */
  incomplete: number;
}

/** Something a client does. @throws with the promise that was broken. */
export interface Act {
  readonly name: string;
  readonly weight: number;
  readonly run: (world: World) => Promise<unknown>;
}

const ROUTE = '/v1/jurisprudencia';
const IDS_MAX = 200;
const PAGES = 3;
const ABANDON_MS_MAX = 5;

/** What is asked wrongly, and the code that the contract has for it. */
const WRONG: readonly (readonly [path: string, codigo: Codigo])[] = [
  [`${ROUTE}/busca`, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=dano&limite=51`, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=dano&data_de=2024-02-30`, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=dano&cursor=abc`, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=%22dano`, 'CONSULTA_INVALIDA'],
  [`${ROUTE}/stj:999999999`, 'DECISAO_NAO_ENCONTRADA'],
  [`${ROUTE}/nada`, 'DECISAO_NAO_ENCONTRADA'],
  ['/v1/nada', 'ROTA_NAO_ENCONTRADA'],
];

/** A day's ordinary traffic, most frequent first. */
export const MIX: readonly Act[] = [
  { name: 'search', weight: 30, run: searchSix },
  { name: 'record', weight: 20, run: readRecord },
  { name: 'search, newest', weight: 15, run: searchNewest },
  { name: 'wrong input', weight: 12, run: askWrongly },
  { name: 'pages', weight: 8, run: turnPages },
  { name: 'disconnect', weight: 6, run: goAway },
  { name: 'coverage', weight: 5, run: readCoverage },
  { name: 'no key', weight: 2, run: comeWithoutKey },
  { name: 'wrong method', weight: 2, run: post },
];

function searchSix(world: World): Promise<Busca> {
  return search(world, searchAsk(world.key, pick(world.words.ordinary, world.random), 'relevancia', null));
}

async function searchNewest(world: World): Promise<void> {
  const base = pick(BASES, world.random);
  const ask = searchAsk(world.key, pick(world.words.ordinary, world.random), 'recentes', base);
  const { itens } = await search(world, ask);
  const numbers = itens.map(({ id }) => Number(id.split(':')[1]));
  const isSorted = numbers.every((number, at) => at === 0 || number < (numbers[at - 1] ?? 0));
  need(isSorted, `${ask.path}: not newest first`);
  const isOfBase = itens.every((item) => item.base === base);
  need(isOfBase, `${ask.path}: an item of another base`);
}

async function turnPages(world: World): Promise<void> {
  const ask = searchAsk(world.key, broadQuery(world), 'relevancia', null, 5);
  const seen = new Set<string>();
  let { path } = ask;
  for (let page = 0; page < PAGES; page += 1) {
    const { itens, proximo_cursor: cursor } = await search(world, { ...ask, path });
    for (const { id } of itens) {
      need(!seen.has(id), `${ask.path}: ${id} stands on two pages`);
      seen.add(id);
    }
    if (cursor === null) return;
    path = `${ask.path}&cursor=${encodeURIComponent(cursor)}`;
  }
}

async function readRecord(world: World): Promise<void> {
  const id = world.ids.length === 0 ? 'stj:1' : pick(world.ids, world.random);
  const path = `${ROUTE}/${encodeURIComponent(id)}`;
  const record = await answered<Documento>(world, { path, key: world.key });
  need(record.id === id, `${path}: the record of ${record.id}`);
}

function askWrongly(world: World): Promise<void> {
  const [path, codigo] = pick(WRONG, world.random);
  return refused(world, { path, key: world.key }, codigo);
}

function comeWithoutKey(world: World): Promise<void> {
  const ask = recordAsk(newKey(), 'stj', 1);
  return refused(world, world.random() < 0.5 ? ask : { path: ask.path }, 'NAO_AUTORIZADO');
}

function post(world: World): Promise<void> {
  const ask = { path: `${ROUTE}/busca?q=dano`, key: world.key, method: 'DELETE' };
  return refused(world, ask, 'METODO_NAO_PERMITIDO');
}

function readCoverage(world: World): Promise<unknown> {
  return answered(world, { path: `${ROUTE}/cobertura` });
}

function goAway(world: World): Promise<void> {
  const ask = searchAsk(world.key, broadQuery(world), 'relevancia', null);
  return abandon(world.url, ask, world.random() * ABANDON_MS_MAX);
}

function broadQuery({ words, random }: World): string {
  return `${pick(words.common, random)} ${pick(words.common, random)}`;
}

export async function search(world: World, ask: Ask): Promise<Busca> {
  const page = await answered<Busca>(world, ask);
  if (page.bases_sem_resposta.length > 0) world.incomplete += 1;
  world.ids.push(...page.itens.map(({ id }) => id));
  world.ids.splice(0, Math.max(0, world.ids.length - IDS_MAX));
  return page;
}

async function refused(world: World, ask: Ask & { readonly method?: string }, codigo: Codigo): Promise<void> {
  const got = await answered<Erro>(world, ask, ERROS[codigo].status);
  need(got.codigo === codigo, `${ask.path}: ${got.codigo}, not ${codigo}`);
}

/** The body of an answer, which must be of a status, and as the OpenAPI document says. */
async function answered<Body>(
  { url }: Pick<World, 'url'>,
  { path, key, method = 'GET' }: Ask & { readonly method?: string },
  wanted = 200,
): Promise<Body> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetchChecked(url + path, { method, headers });
  need(response.status === wanted, `${path}: status ${response.status}, not ${wanted}`);
  return (await response.json()) as Body;
}

/** @throws PlainError with the promise that was broken. */
export function need(holds: boolean, broken: string): void {
  if (!holds) throw new PlainError(broken);
}
