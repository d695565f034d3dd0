import { htmlText } from './html-text.ts';
import { isRawNumber, numberOf } from './raw-number.ts';

/** `extras` without what may be the decision's full text, which is never served. */
export interface WithoutFullText {
  readonly json: string;
  /** The text found, the longest of several; null if there is none. */
  readonly text: string | null;
  /** The fields that were taken out: `texto`, `peca.blocos`. */
  readonly names: readonly string[];
}

/**
 * Takes full texts out of `extras`, at any depth: fields named for one, and unknown ones of more than `PROSE_MAX` characters of
 * prose, in one string or in paragraphs. The rest stays as received. Other long strings, such as a PDF in base64, go too.
 * @param json an object's text that `JSON.parse` accepts. @throws BeyondBounds if a text has HTML nested too deep.
 */
export function withoutFullText(json: string): WithoutFullText {
  const untouched = { json, text: null, names: [] };
  if (json.length <= PROSE_MAX && !SIGN.test(json)) return untouched;
  const found = new Texts();
  const rest = found.without(exactly(json), '');
  return found.names.length === 0 ? untouched : { json: JSON.stringify(rest), ...found };
}

/** A longer unknown prose counts as a full text, in characters. */
const PROSE_MAX = 2_000;
/** A longer unknown string that is no prose may be a full text in another form. */
const STRING_MAX = 5_000;
/** A shorter string is not one of a text's paragraphs. */
const PARAGRAPH_MIN = 100;
/** Fewer words than these are data about a text and not the text: `possui texto`; `por maioria, vencido o relator`. */
const WORDS_MIN = 3;
const WORDS_MIN_UNSURE = 12;

/** Any name of a text, in camel case or not. */
const SIGN = /texto|conte[uú]do|teor|[ií]ntegra|voto|relat[oó]rio|senten[cç]a|fundamenta|html|rtf/iu;
/** Names of full texts that courts and their clients use, as `snake_case`, besides those that a format reads itself. */
const TEXT_NAME =
  /^(?:txt_|ds_)?(?:textos?|conteudo|integra|teor)(?:_|$)|^(?:txt_)?(?:texto|conteudo)|inteiro_?teor|(?:^|_)html|html(?:_|$)|(?:^|_)rtf(?:_|$)|(?:^|_)(?:decisao|acordao|despacho|sentenca|noticia|voto|julgado)_(?:completa?o?_)?texto$/u;
const UNSURE_NAME = /^(?:txt_|texto_)?(?:votos?|relatorio|sentenca|fundamentacao)(?:_|$)/u;
/** With these words the value is data about a text. */
const ABOUT_TEXT =
  /(?:^|_)(?:urls?|links?|ids?|tipo|data|existe|possui|tem|has|tamanho|caracteres|arquivo|hash|codigo|quantidade|numero)(?:_|$)/u;
/** Long fields of the courts that are references and not the decision's text. */
const KNOWN = new Set(
  (
    'jurisprudenciaCitada notas informacoesComplementares termosAuxiliares acordaosSimilares partes_lista_texto ' +
    'documental_indexacao_texto documental_observacao_texto documental_doutrina_texto'
  ).split(' '),
);

class Texts {
  text: string | null = null;
  readonly names: string[] = [];

  /** The value without full texts; undefined if all of it is one. */
  without(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#string(value, path);
    if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
    const isList = Array.isArray(value);
    const kept: (readonly [string, unknown])[] = [];
    for (const [name, member] of Object.entries(value)) {
      const at = isList ? path : path === '' ? name : `${path}.${name}`;
      const rest = isList || !this.#isNamed(name, member, at) ? this.#member(name, member, at) : undefined;
      if (rest !== undefined) kept.push([name, rest]);
    }
    const paragraphs = kept.flatMap(([, member]) => (isParagraph(member) ? [member] : [])).join('\n');
    if (path !== '' && this.#isTaken(paragraphs, path)) return undefined;
    return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept);
  }

  #member(name: string, member: unknown, path: string): unknown {
    return KNOWN.has(name) ? member : this.without(member, path);
  }

  #string(value: string, path: string): string | undefined {
    if (this.#isTaken(value, path)) return undefined;
    if (value.length <= STRING_MAX) return value;
    this.names.push(path);
    return undefined;
  }

  /** Takes a value whose name says that it is a text. */
  #isNamed(name: string, member: unknown, path: string): boolean {
    const wordsMin = KNOWN.has(name) ? Infinity : wordsOfText(name);
    if (wordsMin === Infinity) return false;
    const text = stringsIn(member).join('\n');
    if (text.trim().split(/\s+/u, wordsMin).length < wordsMin) return false;
    this.#take(text, path);
    return true;
  }

  #isTaken(text: string, path: string): boolean {
    if (text.length <= PROSE_MAX || !isProse(text)) return false;
    this.#take(text, path);
    return true;
  }

  #take(value: string, path: string): void {
    if (!this.names.includes(path)) this.names.push(path);
    const text = value.includes('<') ? htmlText(value) : value;
    if ((text?.length ?? 0) > (this.text?.length ?? 0) && !value.startsWith(String.raw`{\rtf`))
      this.text = text;
  }
}

/** How many words make a field of that name a full text; Infinity if the name says nothing of one. */
function wordsOfText(name: string): number {
  if (!SIGN.test(name)) return Infinity;
  const plain = name.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  const snake = plain
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, '_')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, '_');
  if (ABOUT_TEXT.test(snake)) return Infinity;
  if (TEXT_NAME.test(snake)) return WORDS_MIN;
  return UNSURE_NAME.test(snake) ? WORDS_MIN_UNSURE : Infinity;
}

function isParagraph(value: unknown): value is string {
  return typeof value === 'string' && value.length >= PARAGRAPH_MIN;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Words of sentences that stand in no list of names. */
const SENTENCE_WORDS =
  /(?<!\p{L})(?:a|à|ao|aos|as|com|é|em|na|não|no|o|os|para|pela|pelo|por|que|se|sob|sobre|um|uma)(?!\p{L})/giu;
const SENTENCE_WORDS_SHARE = 0.02;
const SMALL_WORDS_SHARE = 0.4;
const LETTERS_SHARE = 0.65;
const WORD_LENGTH_MAX = 15;

/** False for codes, links, references and lists of names. */
function isProse(value: string): boolean {
  const text = value.includes('<') ? value.replaceAll(/<[^<>]*>/gu, ' ').trim() : value.trim();
  const words = text.split(/\s+/u);
  const shown = text.length - words.length;
  if (text.length <= PROSE_MAX || shown / words.length > WORD_LENGTH_MAX) return false;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (count(/\p{L}/gu) < shown * LETTERS_SHARE) return false;
  return (
    count(/(?<!\S)[(“"]?\p{Ll}/gu) >= words.length * SMALL_WORDS_SHARE ||
    count(SENTENCE_WORDS) >= words.length * SENTENCE_WORDS_SHARE
  );
}

/** Parses JSON and keeps the text of each number that parsing would change. */
function exactly(json: string): unknown {
  return JSON.parse(json, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? numberOf(context.source) : value,
  );
}
