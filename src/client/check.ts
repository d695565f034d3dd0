import { TIPOS_DA_BASE, TRIBUNAIS } from '../contract/catalog.ts';
import { hasCnjCheck } from '../contract/case-numbers.ts';
import { searchedFormsOf } from './citation-numbers.ts';
import { mainClass } from './citation-classes.ts';
import { citationsIn } from './citations.ts';
import type { Citation, ReadCitation } from './citation.ts';
import { holds, isSaidBy, rated, type Rated } from './comparison.ts';
import { JurisprudenciaError } from './error.ts';
import type { CallOptions } from './request.ts';
import type { Base, Busca, Documento, Resumo, Tipo } from './types.ts';

export const VEREDITOS = [
  'confere',
  'diverge',
  'não está nesta base',
  'base sem resposta',
  'ambígua',
  'não lida',
] as const;
export type Veredito = (typeof VEREDITOS)[number];

/** A citation as written, and what the bases have of it. */
export interface Checked {
  readonly texto: string;
  /** UTF-16 units of the whole text; `fim` is exclusive. */
  readonly inicio: number;
  readonly fim: number;
  /** One form for all spellings; null if it cannot be read. */
  readonly numero: string | null;
  readonly veredito: Veredito;
  /** Of `itens`. */
  readonly ids: readonly string[];
  /** The decision; those that differ; or those that it may be. */
  readonly itens: readonly Resumo[];
  /** In Portuguese: why, with what is cited and what is stored. */
  readonly avisos: readonly string[];
}

/** What the check asks of the service. Each call is one unit of quota. */
export interface Asked {
  readonly search: (pedido: CheckSearch, options: CallOptions) => Promise<Busca>;
  readonly record: (id: string, options: CallOptions) => Promise<Documento>;
}
export interface CheckSearch {
  readonly q: string;
  readonly tipo: Tipo | undefined;
  readonly limite: number;
}

const UNSHOWN = 'o registro não mostra este número; pode ser outro recurso do mesmo processo';
const AT_ONCE = 4;
const ITEMS_MAX = 50;
/** A shorter number is a part of many others, and is searched with the sigla of its class. */
const ALONE_MIN = 5;

/** Checks the citations of a text, in order. Of the text it sends their numbers, and siglas of classes with short ones. */
export async function* checked(
  text: string,
  asked: Asked,
  options: CallOptions,
): AsyncGenerator<Checked, void, undefined> {
  const pages = new Map<string, Promise<Busca>>();
  const search: Asked['search'] = (pedido, given) => {
    const key = JSON.stringify(pedido);
    const page = pages.get(key) ?? asked.search(pedido, given);
    pages.set(key, page);
    return page;
  };
  const waiting: Promise<Checked>[] = [];
  for (const cited of citationsIn(text)) {
    const verdict = check(cited, { ...asked, search }, options);
    // It is awaited in its turn; a failure before is not unhandled.
    verdict.catch(() => undefined);
    waiting.push(verdict);
    const first = waiting.length < AT_ONCE ? undefined : waiting.shift();
    if (first !== undefined) yield await first;
  }
  for (const verdict of waiting) yield await verdict;
}

async function check(cited: Citation, asked: Asked, options: CallOptions): Promise<Checked> {
  if (!isRead(cited)) return said(cited, 'não lida', 'parece uma citação, e o número não se lê');
  const refused = withoutAsking(cited);
  if (refused !== null) return said(cited, ...refused);
  const page = await asked.search(searchOf(cited), options);
  const candidates = rated(cited, page.itens);
  const [first, ...others] = candidates;
  if (first === undefined || first.differs.length > 0) {
    const silent = page.bases_sem_resposta.filter(({ base }) => basesOf(cited).includes(base));
    if (silent.length > 0)
      return said(cited, 'base sem resposta', `sem resposta: ${silent.map(({ base }) => base).join(', ')}`);
  }
  if (first === undefined) {
    if (page.proximo_cursor !== null) return said(cited, 'ambígua', 'há decisões demais com este número');
    // The index has a case's other numbers, which no answer shows: the one in the court before, the registro.
    if (page.itens.length > 0 && ['cnj', 'tjmg', 'registro'].includes(cited.kind))
      return found(
        cited,
        'ambígua',
        page.itens.map((item) => ({ item })),
        UNSHOWN,
      );
    return said(cited, 'não está nesta base', ...checkNote(cited));
  }
  const alike = [first, ...others.filter((one) => one.rank === first.rank)];
  if (alike.length > 1 && first.differs.length === 0)
    return found(cited, 'ambígua', alike, 'várias decisões têm este número');
  if (!first.isNumberStored || first.isJudgeAlone) return readIn(cited, first, alike, asked, options);
  return found(cited, first.differs.length === 0 ? 'confere' : 'diverge', alike, ...first.differs);
}

/** The record decides: it has the judge who wrote the decision, and the court's other numbers of the case. */
async function readIn(
  cited: ReadCitation,
  first: Rated,
  alike: readonly Rated[],
  asked: Asked,
  options: CallOptions,
): Promise<Checked> {
  try {
    const record = await asked.record(first.item.id, options);
    if (!first.isNumberStored && !holds(record, cited)) return found(cited, 'ambígua', alike, UNSHOWN);
    const isWriter = first.isJudgeAlone && isSaidBy(cited, record);
    if (isWriter)
      return found(
        cited,
        'confere',
        [first],
        `redator do acórdão: ${record.redator}; relator: ${record.relator ?? 'nenhum'}`,
      );
    return found(cited, first.differs.length === 0 ? 'confere' : 'diverge', alike, ...first.differs);
  } catch (error) {
    const codigo = error instanceof JurisprudenciaError ? error.codigo : null;
    if (codigo === 'TEMPO_ESGOTADO')
      return said(cited, 'base sem resposta', `sem resposta: ${first.item.base}`);
    if (codigo === 'DECISAO_NAO_ENCONTRADA') return said(cited, 'não está nesta base');
    throw error;
  }
}

/** The verdict where nothing needs to be searched; null if something does. */
function withoutAsking({ kind, tribunal }: Citation): readonly [Veredito, string] | null {
  if (!isStatement(kind)) return null;
  if (tribunal === null) return ['não lida', 'não diz de que tribunal é'];
  const base = TRIBUNAIS.find(({ codigo }) => codigo === tribunal)?.base;
  const tipos: readonly string[] = base === undefined ? [] : TIPOS_DA_BASE[base];
  return tipos.includes(kind) ? null : ['não está nesta base', 'as bases não têm enunciados deste tribunal'];
}

function isRead(cited: Citation): cited is ReadCitation {
  return cited.numero !== null;
}

type Statement = Extract<Citation['kind'], Tipo>;
function isStatement(kind: Citation['kind']): kind is Statement {
  return kind === 'sumula' || kind === 'orientacao_jurisprudencial' || kind === 'precedente_normativo';
}

function searchOf({ kind, numero, classes }: ReadCitation): CheckSearch {
  const tipo = isStatement(kind) ? kind : undefined;
  const forms = (isStatement(kind) ? [numero] : searchedFormsOf({ kind, numero })).map((form) => `"${form}"`);
  const any = forms.join(' OR ');
  const main = mainClass(classes);
  const isShort = kind === 'short' && numero.length < ALONE_MIN && main !== undefined;
  return { q: `processo : (${isShort ? `(${any}) AND "${main}"` : any})`, tipo, limite: ITEMS_MAX };
}

/** The bases that may hold a citation. */
function basesOf({ kind, numero, tribunal }: ReadCitation): readonly Base[] {
  const own = TRIBUNAIS.filter(({ codigo }) => codigo === tribunal).map(({ base }) => base);
  if (own.length > 0) return own;
  const [, branch, court] = (kind === 'cnj' ? /\.(\d)\.(\d\d)\.\d{4}$/u.exec(numero) : null) ?? [];
  if (branch === '5') return ['tst', 'trt3'];
  if (branch === '4') return ['eproc'];
  if (branch === '8') return court === '13' ? ['tjmg'] : [];
  if (kind === 'tjmg') return ['tjmg'];
  return kind === 'registro' ? ['stj'] : [...new Set(TRIBUNAIS.map(({ base }) => base))];
}

function checkNote({ kind, numero }: ReadCitation): string[] {
  const isWrong = kind === 'cnj' && !hasCnjCheck(numero.replaceAll(/\D/gu, ''));
  return isWrong ? ['o dígito verificador não confere: veja se o número foi bem copiado'] : [];
}

function said(
  { texto, inicio, fim, numero }: Citation,
  veredito: Veredito,
  ...avisos: readonly string[]
): Checked {
  return { texto, inicio, fim, numero, veredito, ids: [], itens: [], avisos };
}

function found(
  cited: Citation,
  veredito: Veredito,
  those: readonly Pick<Rated, 'item'>[],
  ...avisos: readonly string[]
): Checked {
  const itens = those.map(({ item }) => item);
  return { ...said(cited, veredito, ...avisos), itens, ids: itens.map(({ id }) => id) };
}
