import {
  BASES,
  CODIGOS_TRIBUNAL,
  LIMITE_MAX,
  LIMITE_PADRAO,
  ORDEM_PADRAO,
  ORDENS,
  Q_MAX,
  Q_MIN,
  RAMOS,
  TIPOS,
  UFS,
  type Ordem,
  type Parametro,
} from '../contract/vocabulary.ts';
import { tribunaisDaBase } from '../contract/catalog.ts';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { withoutInvisible } from '../index/format/invisible.ts';
import { dateCode } from '../index/format/schema.ts';
import type { DocFilter, After } from '../engine/messages.ts';
import { existsInCalendar } from '../contract/calendar.ts';
import type { Cursor, CursorCodec } from './cursor.ts';
import { withPlainQuotes } from '../contract/avisos.ts';
import { readQuery, type Consulta, type SyntaxCheck } from './query.ts';
import { readQueryString, type RawParameters } from './query-string.ts';
import { needsChoice, select, type BaseSelecionada, type Escolha } from './selection.ts';
import { wordIn } from './words.ts';

/** A search request with all parameters validated. */
export interface Pedido {
  /** As received, without invisible characters. */
  readonly q: string;
  readonly consulta: Consulta;
  readonly selecao: readonly BaseSelecionada[];
  readonly filter: Omit<DocFilter, 'tribunais'>;
  readonly ordem: Ordem;
  readonly limite: number;
  readonly cursor: Cursor | null;
  /** All parameters except the cursor as a canonical text, to which a cursor is bound. */
  readonly parametros: string;
  /** Equal for equal requests: with the cursor. */
  readonly chave: string;
}

export interface ReadingTools {
  readonly check: SyntaxCheck;
  readonly cursors: CursorCodec;
}

/** An invalid parameter. Thrown inside this module only. */
class Refused extends Error {
  readonly recusa: Recusa;
  constructor(erro: string, codigo: Recusa['codigo'] = 'PARAMETRO_INVALIDO') {
    super(erro);
    this.recusa = recusa(codigo, erro);
  }
}

/** Reads the raw query string of a search request. */
export function readPedido(raw: string, tools: ReadingTools): Pedido | Recusa {
  const parameters = readQueryString(raw);
  if ('codigo' in parameters) return parameters;
  try {
    return readAll(parameters, tools);
  } catch (error) {
    if (error instanceof Refused) return error.recusa;
    throw error;
  }
}

function readAll(parameters: RawParameters, { check, cursors }: ReadingTools): Pedido {
  const q = readQ(parameters.q);
  const escolha: Escolha = {
    tribunal: readList('tribunal', parameters.tribunal, CODIGOS_TRIBUNAL),
    uf: readList('uf', parameters.uf, UFS),
    ramo: readList('ramo', parameters.ramo, RAMOS),
  };
  const selecao = select(escolha);
  if (needsChoice(escolha, BASES.length)) {
    throw new Refused('tribunal: são bases demais; escolha tribunal, uf ou ramo');
  }
  const filter = { tipo: readOne('tipo', parameters.tipo, TIPOS), ...readPeriod(parameters) };
  const ordem = readOne('ordem', parameters.ordem, ORDENS) ?? ORDEM_PADRAO;
  const limite = readLimite(parameters.limite);
  const consulta = readQuery(q, check);
  if ('codigo' in consulta) throw new Refused(consulta.erro, consulta.codigo);
  // Blanks as the query's reader takes them.
  const texto = withPlainQuotes(q).replaceAll(/\s+/gu, ' ').trim();
  const parametros = JSON.stringify([texto, selecao, filter, ordem, limite]);
  const chave = `${parametros}\n${parameters.cursor ?? ''}`;
  const pedido = { q, consulta, selecao, filter, ordem, limite, parametros, chave };
  return { ...pedido, cursor: readCursor(parameters.cursor, pedido, cursors) };
}

/** Invisible characters are not there: neither counted, nor searched, nor part of what a cursor is bound to. */
function readQ(received: string | undefined): string {
  if (received === undefined) throw new Refused('q: falta; escreva o texto a buscar');
  const q = withoutInvisible(received);
  const length = [...q].length;
  if (length < Q_MIN) throw new Refused(`q: curto demais; use de ${Q_MIN} a ${Q_MAX} caracteres`);
  if (length > Q_MAX) {
    throw new Refused(`q: tem ${length} caracteres; encurte para até ${Q_MAX}`);
  }
  return q;
}

function readList<const T extends readonly string[]>(
  name: Parametro,
  text: string | undefined,
  words: T,
): T[number][] | null {
  if (text === undefined) return null;
  return [...new Set(text.split(',').map((element) => readWord(name, element, words)))];
}

function readOne<const T extends readonly string[]>(
  name: Parametro,
  text: string | undefined,
  words: T,
): T[number] | null {
  if (text?.includes(',') === true)
    throw new Refused(`${name}: aceita um só valor; faça uma busca para cada um`);
  return text === undefined ? null : readWord(name, text, words);
}

/** Reads a word of an enumeration. Ignores outer spaces and letter case. */
function readWord<const T extends readonly string[]>(name: Parametro, text: string, words: T): T[number] {
  const word = wordIn(words, text);
  if (word !== undefined) return word;
  if (text.trim() === '') throw new Refused(`${name}: há um elemento vazio; retire a vírgula que sobra`);
  const base = name === 'tribunal' ? wordIn(BASES, text) : undefined;
  if (base !== undefined)
    throw new Refused(
      `tribunal: ${base} é uma base; use os tribunais dela: ${tribunaisDaBase(base).join(',')}`,
    );
  const shown = [...text.trim()].slice(0, 40).join('');
  throw new Refused(`${name}: "${shown}" não é aceito; use ${words.join(', ')}`);
}

function readPeriod(parameters: RawParameters): Pick<DocFilter, 'judged_from' | 'judged_to'> {
  const de = readDate('data_de', parameters.data_de);
  const ate = readDate('data_ate', parameters.data_ate);
  if (de !== null && ate !== null && de > ate) {
    throw new Refused('data_de: é posterior a data_ate; troque as duas');
  }
  return { judged_from: de, judged_to: ate };
}

function readDate(name: 'data_de' | 'data_ate', text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    throw new Refused(`${name}: escreva a data como AAAA-MM-DD`);
  }
  if (!existsInCalendar(text)) {
    throw new Refused(`${name}: ${text} não existe no calendário; corrija a data`);
  }
  return dateCode(text);
}

function readLimite(text: string | undefined): number {
  if (text === undefined) return LIMITE_PADRAO;
  const limite = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (limite < 1 || limite > LIMITE_MAX) {
    throw new Refused(`limite: deve ser um inteiro de 1 a ${LIMITE_MAX}`);
  }
  return limite;
}

const CURSOR_HINT = {
  invalid: 'cursor: não é um cursor deste serviço; envie proximo_cursor como veio, ou recomece sem cursor',
  other_search: 'cursor: é de outra busca; repita os mesmos parâmetros, ou recomece sem cursor',
} as const;

function readCursor(
  text: string | undefined,
  pedido: Omit<Pedido, 'cursor'>,
  cursors: CursorCodec,
): Cursor | null {
  if (text === undefined) return null;
  const cursor = cursors.decode(text, pedido.parametros);
  if (typeof cursor === 'string') throw new Refused(CURSOR_HINT[cursor]);
  const selected = new Set(pedido.selecao.map(({ base }) => base));
  for (const [base, after] of cursor.after) {
    if (!selected.has(base) || (after !== null && !fits(after, pedido)))
      throw new Refused(CURSOR_HINT.invalid);
  }
  return cursor;
}

/** True if a search with these parameters can reach this position. Any search may have fallen back to recency. */
function fits(after: After, { consulta, ordem }: Omit<Pedido, 'cursor'>): boolean {
  if (after.ordem === 'recentes') return true;
  const { doc_id_max, df, doc_id } = after;
  const isOfQuery = ordem === 'relevancia' && df.length === consulta.terms.length;
  return isOfQuery && Math.max(doc_id, ...df) <= doc_id_max;
}
