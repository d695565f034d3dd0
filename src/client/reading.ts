import { AVISOS, withPlainQuotes } from '../contract/avisos.ts';

/** A word that no decision of the searched bases has, and near words that they have. */
export interface TermoProximo {
  readonly termo: string;
  readonly proximos: readonly {
    readonly texto: string;
    /** How many decisions have it, at least. */
    readonly decisoes: number;
  }[];
}

/** The headers of a first page about its query. */
export interface Reading {
  /** The query as parsed, in FTS5 syntax. */
  readonly leitura: string | null;
  readonly ausentes: readonly string[];
  readonly proximos: readonly TermoProximo[];
  /** The same search with near words, if known to find something. */
  readonly sugestao: string | null;
  /** In Portuguese, one line each. */
  readonly avisos: readonly string[];
}

const Q_LENGTH_MAX = 300;
const CUT = '…';

export function readingOf(headers: Headers): Reading {
  const leitura = headers.get('jurisprudencia-leitura');
  const read = leitura === null ? null : decoded(leitura);
  // The last one may say that there are more.
  const proximos = listed(headers, 'termos-proximos')
    .filter((one) => one.includes('='))
    .map(nearTerm);
  const codes = listed(headers, 'avisos');
  return {
    leitura: read,
    ausentes: listed(headers, 'termos-ausentes').map(decoded),
    proximos,
    sugestao: read !== null && codes.includes('PROXIMOS_ACHAM') ? withNear(read, proximos) : null,
    avisos: Object.entries(AVISOS).flatMap(([code, line]) =>
      codes.includes(code) && code !== 'PROXIMOS_ACHAM' ? [line] : [],
    ),
  };
}

/** True if the parsed query is what was written, except for quotes and marks in them: the reading tells the user nothing new. */
export function isAsTyped(q: string, leitura: string): boolean {
  const folded = unquoted(foldedText(withPlainQuotes(q)));
  const words = folded.split(/\s+/u).map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const loose = [...new Set(words.filter((word) => word !== ''))].join(' and ');
  // Adjacent words and phrases are joined by AND.
  const read = unquoted(leitura.toLowerCase());
  return [read, read.replaceAll(' and ', ' ')].some((text) =>
    [folded, loose].some((one) => bare(one) === bare(text)),
  );
}

/** Without accents, in lower case. */
export function foldedText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Without quotes around single words. */
function unquoted(text: string): string {
  return text.replaceAll(/"([^"]*)"/gu, (_, inside: string) => {
    const words = inside.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
    return words.includes(' ') ? `"${words}"` : words;
  });
}

/** Without spaces, and without parentheses: the reading leaves out only those that change nothing. */
function bare(text: string): string {
  return text.replaceAll(/[\s()]+/gu, '');
}

/** Replaces absent words by their first near word. A word is alone or in a phrase; several words are a whole phrase. */
function withNear(leitura: string, proximos: readonly TermoProximo[]): string | null {
  const near = new Map(proximos.map(({ termo, proximos: [first] }) => [termo, first?.texto ?? termo]));
  const suggested = leitura.replaceAll(
    /"([^"]*)"|[^\s"():{}+^*,]+/gu,
    (piece, phrase: string | undefined) => {
      const words = phrase ?? piece;
      const whole = near.get(words);
      const swapped =
        whole ??
        words
          .split(' ')
          .map((word) => near.get(word) ?? word)
          .join(' ');
      if (swapped === words) return piece;
      // The quotes of a single word are those of a column, which is none without them.
      return phrase === undefined && /^[\p{L}\p{N}]+$/u.test(swapped) ? swapped : `"${swapped}"`;
    },
  );
  return leitura.endsWith(CUT) || [...suggested].length > Q_LENGTH_MAX ? null : suggested;
}

/** `absent=near:12;near:3` */
function nearTerm(text: string): TermoProximo {
  const [termo = '', near = ''] = text.split('=');
  const proximos = near.split(';').map((one) => {
    const [texto = '', decisoes = ''] = one.split(':');
    return { texto: decoded(texto), decisoes: Number(decisoes) };
  });
  return { termo: decoded(termo), proximos };
}

function listed(headers: Headers, name: string): string[] {
  const parts = (headers.get(`jurisprudencia-${name}`) ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
