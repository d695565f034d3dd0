import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { BuscaSchema, type Busca } from '../../../src/contract/busca.ts';
import { CoberturaSchema } from '../../../src/contract/cobertura.ts';
import { DocumentoSchema } from '../../../src/contract/documento.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { ErroSchema } from '../../../src/contract/erro.ts';
import type { Codigo } from '../../../src/contract/recusa.ts';
import { newKey } from '../../../src/keys/key.ts';
import type { Ask, HttpClient } from '../../../src/tools/load/http-client.ts';
import type { Answer } from '../../../src/tools/load/http-reader.ts';
import { recordAsk, searchAsk } from '../measure/load.ts';
import { pick } from '../../../src/tools/load/random.ts';
import type { Words } from '../measure/words.ts';

/** What the acts of the mix share. */
export interface World {
  readonly client: HttpClient;
  readonly key: string;
  readonly words: Words;
  readonly random: () => number;
  /** Ids that searches gave, the newest last: what a reader reads on. */
  readonly ids: string[];
  /** Searches that named a base as not answering: the truth, but no full answer. */
  incomplete: number;
}

/** Something a client does. @returns null, or what promise was broken. */
export interface Act {
  readonly name: string;
  readonly weight: number;
  readonly run: (world: World) => Promise<string | null>;
}

const ROUTE = '/v1/jurisprudencia';
const IDS_MAX = 200;
const PAGES = 3;
const ABANDON_MS_MAX = 5;

/** What is asked wrongly, and the answer that the contract has for it. */
const WRONG: readonly (readonly [path: string, status: number, codigo: Codigo])[] = [
  [`${ROUTE}/busca`, 400, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=dano&limite=51`, 400, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=dano&data_de=2024-02-30`, 400, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=dano&cursor=abc`, 400, 'PARAMETRO_INVALIDO'],
  [`${ROUTE}/busca?q=%22dano`, 400, 'CONSULTA_INVALIDA'],
  [`${ROUTE}/stj:999999999`, 404, 'DECISAO_NAO_ENCONTRADA'],
  [`${ROUTE}/nada`, 404, 'DECISAO_NAO_ENCONTRADA'],
  ['/v1/nada', 404, 'ROTA_NAO_ENCONTRADA'],
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

async function searchSix(world: World): Promise<string | null> {
  const q = pick(world.words.ordinary, world.random);
  const page = await search(world, searchAsk(world.key, q, 'relevancia', null));
  return typeof page === 'string' ? page : null;
}

async function searchNewest(world: World): Promise<string | null> {
  const base = pick(BASES, world.random);
  const ask = searchAsk(world.key, pick(world.words.ordinary, world.random), 'recentes', base);
  const page = await search(world, ask);
  if (typeof page === 'string') return page;
  const numbers = page.itens.map(({ id }) => Number(id.split(':')[1]));
  const isSorted = numbers.every((number, at) => at === 0 || number < (numbers[at - 1] ?? 0));
  if (!isSorted) return `${ask.path}: not newest first`;
  return page.itens.every((item) => item.base === base) ? null : `${ask.path}: an item of another base`;
}

async function turnPages(world: World): Promise<string | null> {
  const ask = searchAsk(world.key, broadQuery(world), 'relevancia', null, 5);
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const path: string = cursor === null ? ask.path : `${ask.path}&cursor=${encodeURIComponent(cursor)}`;
    const got = await search(world, { ...ask, path });
    if (typeof got === 'string') return got;
    for (const { id } of got.itens) {
      if (seen.has(id)) return `${ask.path}: ${id} stands on two pages`;
      seen.add(id);
    }
    cursor = got.proximo_cursor;
    if (cursor === null) return null;
  }
  return null;
}

async function readRecord(world: World): Promise<string | null> {
  const id = world.ids.length === 0 ? 'stj:1' : pick(world.ids, world.random);
  const ask: Ask = { path: `${ROUTE}/${encodeURIComponent(id)}`, key: world.key };
  const got = await fetchAs(world, ask, 200, DocumentoSchema);
  if (typeof got === 'string') return got;
  return got.id === id ? null : `${ask.path}: the record of ${got.id}`;
}

async function askWrongly(world: World): Promise<string | null> {
  const [path, status, codigo] = pick(WRONG, world.random);
  return refused(world, { path, key: world.key }, status, codigo);
}

async function comeWithoutKey(world: World): Promise<string | null> {
  const ask = recordAsk(newKey(), 'stj', 1);
  return refused(world, world.random() < 0.5 ? ask : { path: ask.path }, 401, 'NAO_AUTORIZADO');
}

async function post(world: World): Promise<string | null> {
  const ask = { path: `${ROUTE}/busca?q=dano`, key: world.key, method: 'DELETE' };
  return refused(world, ask, 405, 'METODO_NAO_PERMITIDO');
}

async function readCoverage(world: World): Promise<string | null> {
  const got = await fetchAs(world, { path: `${ROUTE}/cobertura` }, 200, CoberturaSchema);
  return typeof got === 'string' ? got : null;
}

async function goAway(world: World): Promise<null> {
  const ask = searchAsk(world.key, broadQuery(world), 'relevancia', null);
  await world.client.abandon(ask, world.random() * ABANDON_MS_MAX);
  return null;
}

/** Matches most decisions; a single word may be too short to be a query. */
function broadQuery({ words, random }: World): string {
  return `${pick(words.common, random)} ${pick(words.common, random)}`;
}

/** A page that is as the contract has it, its ids kept for readers; or what is wrong. */
export async function search(world: World, ask: Ask): Promise<Busca | string> {
  const page = await fetchAs(world, ask, 200, BuscaSchema);
  if (typeof page === 'string') return page;
  if (page.bases_sem_resposta.length > 0) world.incomplete += 1;
  world.ids.push(...page.itens.map(({ id }) => id));
  world.ids.splice(0, Math.max(0, world.ids.length - IDS_MAX));
  return page;
}

async function refused(world: World, ask: Ask, status: number, codigo: Codigo): Promise<string | null> {
  const got = await fetchAs(world, ask, status, ErroSchema);
  if (typeof got === 'string') return got;
  return got.codigo === codigo ? null : `${ask.path}: ${got.codigo}, not ${codigo}`;
}

async function fetchAs<S extends TSchema>(
  world: World,
  ask: Ask,
  status: number,
  schema: S,
): Promise<Static<S> | string> {
  const { result } = await world.client.send(ask);
  if (typeof result === 'string') return `${ask.path}: no answer (${result})`;
  return readAs(ask.path, result, status, schema);
}

/** The body of an answer of the expected status and shape; or what is wrong with it. */
export function readAs<S extends TSchema>(
  path: string,
  answer: Pick<Answer, 'status' | 'body'>,
  status: number,
  schema: S,
): Static<S> | string {
  if (answer.status !== status) return `${path}: status ${answer.status}, not ${status}`;
  try {
    const body: unknown = JSON.parse(answer.body.toString());
    return Check(schema, body) ? body : `${path}: the body is not of its schema`;
  } catch {
    return `${path}: the body is no JSON`;
  }
}
