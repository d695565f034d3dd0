import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Q_MAX } from '../../src/contract/busca.ts';
import { ORDENS, type Base, type Ordem } from '../../src/contract/enums.ts';
import type { Ask } from './measure-http.ts';
import { ROOT } from './measure-service.ts';
import type { Words } from './measure-words.ts';

const ROUTE = '/v1/jurisprudencia';
const TRIBUNAIS: Readonly<Record<Base, string>> = {
  tst: 'tst',
  stf: 'stf',
  stj: 'stj',
  tjmg: 'tjmg',
  trt3: 'trt3',
  eproc: 'tnu,trf6',
};

/** A search that knows what it asks. */
export interface SearchAsk extends Ask {
  readonly q: string;
  readonly ordem: Ordem;
}

/** @param base null for all six. */
export function searchAsk(key: string, q: string, ordem: Ordem, base: Base | null, limite = 20): SearchAsk {
  const parameters = new URLSearchParams({ q, ordem, limite: String(limite) });
  if (base !== null) parameters.set('tribunal', TRIBUNAIS[base]);
  return { path: `${ROUTE}/busca?${parameters.toString()}`, key, q, ordem };
}

export function recordAsk(key: string, base: Base, numero: number): Ask {
  return { path: `${ROUTE}/${base}:${numero}`, key };
}

/** Queries that take the most work for the least text, each within the contract. */
export function hostileQueries({ common, neverAdjacent }: Words): string[] {
  const [a = 'de', b = 'a', c = 'o', d = 'e', e = 'da'] = common;
  return [
    a,
    [a, b, c, d, e].join(' '),
    `${a} OR ${b} OR ${c} OR ${d} OR ${e}`,
    `${a} NOT ${b}`,
    ...neverAdjacent.map((phrase) => `"${phrase}"`),
    `"${a} ${a}" OR "${b} ${b}" OR "${c} ${c}"`,
    'a*',
    'c*',
    orOfPrefixes(),
    'x* NOT y*',
    'a* NOT b*',
    'a* AND b* AND c* AND d*',
    nested('(', a, ')', 90),
    deepTree([a, b, c, d, e]),
    `NEAR(${a} ${b})`,
    `NEAR(${a} ${b} ${c} ${d}, 100)`,
    'NEAR(a* b*)',
    'NEAR(a* b* c*, 60)',
    `"${a} a*"`,
    `"${a} a" *`,
    `ementa:${a}*`,
    `{ementa tese} : (${a} ${b})`,
    `^${a} AND ${b}`,
    `^${a}*`,
  ];
}

/** `a* OR b* OR …`, one letter and then two, to the longest query that is taken. */
function orOfPrefixes(): string {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  let query = 'a*';
  for (const prefix of [...letters.slice(1), ...letters.map((letter) => `${letter}a`)]) {
    if (query.length + prefix.length + 5 > Q_MAX) break;
    query += ` OR ${prefix}*`;
  }
  return query;
}

function nested(open: string, word: string, close: string, depth: number): string {
  return open.repeat(depth) + word + close.repeat(depth);
}

/** `((((a OR b) AND c) OR d) AND e) …` as deep as fits. */
function deepTree(words: readonly string[]): string {
  let query = words[0] ?? 'de';
  for (let depth = 1; query.length < Q_MAX - 30; depth += 1) {
    query = `(${query} ${depth % 2 === 1 ? 'OR' : 'AND'} ${words[depth % words.length] ?? 'a'})`;
  }
  return query;
}

export function hostileAsks(key: string, words: Words, base: Base | null): SearchAsk[] {
  return hostileQueries(words).flatMap((q) => ORDENS.map((ordem) => searchAsk(key, q, ordem, base)));
}

/** Queries as users type them: the real ones beside the checkout, else a list of ours. */
export function usersQueries(): { readonly queries: readonly string[]; readonly areReal: boolean } {
  const file = join(ROOT, '../shared/corpora/consultas.txt');
  if (!existsSync(file)) return { queries: OWN_QUERIES, areReal: false };
  const lines = readFileSync(file, 'utf8').split('\n');
  return { queries: lines.filter((line) => line !== ''), areReal: true };
}

const OWN_QUERIES = [
  'dano moral inscrição indevida',
  'atraso de voo indenização',
  'plano de saúde negativa de cobertura',
  'prescrição intercorrente execução fiscal',
  'usucapião extraordinária requisitos',
  'guarda compartilhada alteração',
  'revisão de contrato bancário juros abusivos',
  'capitalização mensal de juros',
  'horas extras cartão de ponto',
  'equiparação salarial',
  'adicional de insalubridade grau máximo',
  'aposentadoria especial ruído',
  'auxílio-doença incapacidade temporária',
  'pensão por morte união estável',
  'servidor público progressão funcional',
  'concurso público cadastro de reserva nomeação',
  'licitação dispensa improbidade administrativa',
  'desapropriação juros compensatórios',
  'icms base de cálculo pis cofins',
  'honorários de sucumbência fixação equidade',
  'embargos de declaração omissão inexistente',
  'tutela de urgência requisitos ausentes',
  'busca e apreensão alienação fiduciária',
  'penhora de salário impenhorabilidade',
  'tráfico de drogas causa de diminuição',
  'prisão preventiva fundamentação idônea',
  'roubo emprego de arma reconhecimento pessoal',
  'violência doméstica medida protetiva',
  'compra e venda de imóvel atraso na entrega',
  'responsabilidade civil do estado omissão',
];
