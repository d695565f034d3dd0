import { bug } from '../bug.ts';
import { withPlainQuotes } from './avisos.ts';
import { courtSigns, fieldOf, kindOf, piecesOf, type CourtKind } from './court-signs.ts';
import {
  distanceOf,
  inColumn,
  isoDate,
  NEAR_DEFAULT,
  nearText,
  plain,
  quoted,
  withMarks,
  withPhrase,
  type Operand,
} from './fts5-parts.ts';
import { closed, hasWord, plainWords, tokensOf, type Token } from './fts5-tokens.ts';
import { Q_MAX, Q_MIN } from './vocabulary.ts';

/** A search in FTS5 syntax, or in plain words if it needs none, and the parameters that stand for its dates. */
export interface Fts5Query {
  readonly q: string;
  readonly parametros: { readonly data_de?: string; readonly data_ate?: string };
}

/** NEAR takes no OR: it is written once for each choice of words. */
const CHOICES_MAX = 16;

/** Nothing can be written that asks what the text may have meant. Thrown inside this module only. */
class Unclear extends Error {}

/**
 * What a text that FTS5 does not read, or reads otherwise, may have meant, as FTS5: operators beside parentheses, quotes around
 * words with marks, and what there is for the signs of the courts' own language.
 * @param asCourt reads words such as `e` and `não` as operators; by default only in a text with a certain sign.
 * @returns null if that cannot be told.
 */
export function asFts5(text: string, asCourt = isOfCourts(text)): Fts5Query | null {
  const pieces = piecesOf(closed(withPlainQuotes(text).replaceAll(/\s+/gu, ' ').trim()));
  try {
    const writer = new Writer(tokensOf(pieces, asCourt), asCourt);
    const q = (asCourt ? null : plainWords(pieces)) ?? writer.all();
    const length = [...q].length;
    return hasWord(q) && length >= Q_MIN && length <= Q_MAX ? { q, parametros: writer.parametros } : null;
  } catch (error) {
    if (error instanceof Unclear) return null;
    throw error;
  }
}

/** True for a text with a certain sign of the courts' language, as it is or with its parentheses closed: `(dano não moral`. */
export function isOfCourts(text: string): boolean {
  return [text, closed(text)].some((one) => courtSigns(one).some(({ isCertain }) => isCertain));
}

/** Writes tokens as an expression. */
class Writer {
  readonly parametros: { data_de?: string; data_ate?: string } = {};
  readonly #tokens: readonly Token[];
  readonly #asCourt: boolean;
  #at = 0;

  constructor(tokens: readonly Token[], asCourt: boolean) {
    this.#tokens = tokens;
    this.#asCourt = asCourt;
  }

  all(): string {
    return this.#expression().text;
  }

  /** Up to the end, or the parenthesis that ends it. */
  #expression(): Operand {
    let [text, joiner, isLoose, isNarrow] = ['', '', true, false];
    let choices: readonly string[] | null = [];
    const start = this.#at;
    for (let next = this.#next(); next !== undefined && next.kind !== 'close'; next = this.#next()) {
      if (next.kind === 'operator') {
        this.#at += 1;
        // After a date, which is no part of the text.
        if (text === '' && next.text === 'AND' && this.#at - 1 > start) continue;
        if (text === '' || (joiner !== '' && !(joiner === 'AND' && next.text === 'NOT'))) throw new Unclear();
        [joiner, isNarrow] = [next.text, next.isNarrow];
        continue;
      }
      const wasNarrow = isNarrow && joiner === '';
      const operand = this.#inOneField();
      if (operand !== null) {
        const isAdjacent = isLoose && operand.isLoose && !wasNarrow;
        const between = joiner === '' ? (isAdjacent ? ' ' : ' AND ') : ` ${joiner} `;
        const isChoice = text === '' || joiner === 'OR';
        choices = isChoice && choices !== null && operand.choices ? [...choices, ...operand.choices] : null;
        text = text === '' ? operand.text : text + between + operand.text;
        isLoose = operand.isLoose;
        isNarrow &&= joiner === 'NOT';
      }
      joiner = '';
    }
    if (joiner !== '') throw new Unclear();
    return { text, isLoose, choices };
  }

  #next(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  /** `a mesmo b`. Null for what is left out. */
  #inOneField(): Operand | null {
    const operands = [this.#nearby()];
    while (this.#takeKind('field') !== null) operands.push(this.#nearby());
    const found = operands.filter((one) => one !== null);
    const [only = null] = found;
    if (found.length < 2) return only;
    const text = `ementa : (${found.map((one) => one.text).join(' AND ')})`;
    return { text, isLoose: false, choices: null };
  }

  /** `a adj5 b prox c com d`. */
  #nearby(): Operand | null {
    const first = this.#operand();
    const others: { operand: Operand; distance: number | null }[] = [];
    for (;;) {
      const word = this.#takeKind('adjacent', 'near', 'paragraph');
      if (word === null) break;
      const operand = this.#operand();
      if (operand === null) throw new Unclear();
      others.push({ operand, distance: distanceOf(word) });
    }
    if (first === null || others.length === 0) return first;
    let choices = first.choices?.map((choice) => [choice]) ?? [];
    for (const { operand, distance } of others) {
      const next = (operand.choices ?? []).slice(0, CHOICES_MAX + 1);
      choices = choices.flatMap((phrases) =>
        next.map((choice) => withPhrase(phrases, choice, distance === null)),
      );
      if (choices.length === 0 || choices.length > CHOICES_MAX) throw new Unclear();
    }
    // NEAR counts from the first phrase to the last.
    const between = Math.max(0, (choices[0] ?? bug('no choice')).length - 2);
    const distance = others.reduce((sum, one) => sum + (one.distance ?? 0), between);
    const texts = choices.map((phrases) => nearText(phrases, distance));
    const text = texts.length === 1 ? texts.join() : `(${texts.join(' OR ')})`;
    return {
      text,
      isLoose: texts.length === 1,
      choices: choices.every((one) => one.length === 1) ? texts : null,
    };
  }

  /** The word, if it is one of the courts' between two operands. */
  #takeKind(...kinds: CourtKind[]): string | null {
    const [word, after] = [this.#next(), this.#next(1)];
    const isOperand = after !== undefined && after.kind !== 'close' && after.kind !== 'operator';
    if (!this.#asCourt || word?.kind !== 'word' || !isOperand) return null;
    if (!kinds.includes(kindOf(word.text) ?? 'and')) return null;
    if (word.text === 'NEAR' && after.kind === 'open') return null;
    this.#at += 1;
    return word.text;
  }

  #operand(): Operand | null {
    const token = this.#next();
    this.#at += 1;
    switch (token?.kind) {
      case undefined:
      case 'close':
      case 'operator':
        this.#at -= 1;
        return null;
      case 'columns': {
        const operand = this.#operand();
        return operand === null ? null : inColumn(token.text.replace(/\s*:$/u, '').trim(), operand);
      }
      case 'date':
        this.#date(token.text);
        return null;
      case 'phrase':
        return this.#phrase(token.text, token.after);
      case 'open':
        return this.#group();
      case 'word':
        return /^near$/iu.test(token.text) && this.#next()?.kind === 'open'
          ? this.#near()
          : this.#word(token.text);
    }
  }

  #group(): Operand | null {
    const inside = this.#expression();
    const end = this.#next();
    this.#at += 1;
    if (inside.text === '') return null;
    const isSingle = inside.choices?.length === 1;
    const group = isSingle ? inside : { ...inside, text: `(${inside.text})`, isLoose: false };
    return end?.kind === 'close' ? withMarks(end.after, group) : group;
  }

  #phrase(inside: string, marks: string): Operand | null {
    if (!hasWord(inside)) return null;
    const distance = /~(\d+)/u.exec(marks)?.[1];
    const words = inside.split(' ').filter(hasWord);
    if (distance !== undefined && words.length > 1) {
      const texts = words.map((word) => quoted(word));
      if (/[$*]/u.test(marks)) texts.push(`${texts.pop() ?? bug('no word')}*`);
      return withMarks(marks, { text: nearText(texts, Number(distance)), isLoose: true, choices: null });
    }
    return withMarks(marks, plain(`"${inside}"${/[$*]/u.test(marks) ? '*' : ''}`));
  }

  #word(word: string): Operand | null {
    const field = this.#asCourt ? fieldOf(word) : null;
    if (field !== null) {
      const operand = this.#word(field.word);
      return operand === null || field.column === '' ? operand : inColumn(field.column, operand);
    }
    // A wildcard ends what can be said of a word, unless it is the first character.
    const body = this.#asCourt ? word.replace(/^[$?]+/u, '').replace(/[~^][\d.]*$/u, '') : word;
    const isMarked = this.#asCourt && kindOf(word) !== null;
    const [stem] = (isMarked ? /^[^$?*]*/u : /^\*?[^*]*/u).exec(body) ?? bug('no empty match');
    const isPrefix = stem.length < body.length;
    const bare = stem.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, '');
    return hasWord(bare) ? plain(quoted(bare) + (isPrefix ? '*' : '')) : null;
  }

  /** NEAR( ) itself, with nothing in it but phrases and a number. */
  #near(): Operand | null {
    const phrases: string[] = [];
    let [depth, distance, isAfterComma] = [0, NEAR_DEFAULT, false];
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      this.#at += 1;
      if (token.kind === 'open') depth += 1;
      if (token.kind === 'close' && (depth -= 1) === 0) break;
      if (token.kind === 'phrase' && hasWord(token.text)) phrases.push(`"${token.text}"`);
      if (token.kind !== 'word') continue;
      const number = /^(?:(.*),|)(-?\d+)$/u.exec(token.text);
      const isDistance = number !== null && (isAfterComma || number[1] !== undefined);
      if (isDistance && Number(number[2]) >= 0) distance = Number(number[2]);
      phrases.push(...(this.#word(isDistance ? (number[1] ?? '') : token.text)?.choices ?? []));
      isAfterComma = token.text.endsWith(',');
    }
    return phrases.length === 0 ? null : { text: nearText(phrases, distance), isLoose: true, choices: null };
  }

  /** `@DTDE>=20200131`: dates of judgment are parameters. There are no others here. */
  #date(text: string): void {
    const [, name = '', sign = '', value = ''] =
      /^@(\p{L}+)\s*([<>]?=?)\s*"?([\d/.-]*)/u.exec(text) ?? bug('no date');
    const date = isoDate(value, { '>': 1, '<': -1 }[sign] ?? 0);
    if (!/^dtde$/iu.test(name) || date === null) throw new Unclear();
    if (!sign.startsWith('<')) this.parametros.data_de = date;
    if (!sign.startsWith('>')) this.parametros.data_ate = date;
  }
}
