import { TokenParser, TokenType, Tokenizer } from '@streamparser/json';
import { BeyondBounds, JsonBounds, RECORD_CHARACTERS_MAX } from '../bounds.ts';
import { Damaged } from '../damaged.ts';
import { describeContent } from '../describe.ts';
import { decoded } from '../encoding.ts';
import { JsonWords } from '../json-words.ts';
import { memberNames } from '../member-names.ts';
import { isRawNumber, numberOf } from '../raw-number.ts';
import type { Source } from './format.ts';

/** Where the records of a format are. */
export interface ListShape {
  /** JSON path of their list; `$` is the whole text. */
  readonly list: string;
  /** How many of the format's names are there. */
  readonly score: (names: ReadonlySet<string>) => number;
}

export interface JsonRecord {
  readonly value: unknown;
  /** Counted from 1. */
  readonly number: number;
  /** Approximate memory that it takes, in characters. */
  readonly size: number;
}

/** Memory of a value besides its text, in characters. */
const VALUE_CHARACTERS = 40;
/** Enough to see what a text is. */
const START_CHARACTERS = 64 * 1024;

/**
 * The records in a JSON text or in several consecutive ones, each as soon as it is complete: in the list of an answer, in a
 * list of answers, in a bare list, or alone. @throws Damaged if the text is not JSON, is cut, or has no records.
 */
export async function* readRecords(source: Source, shape: ListShape): AsyncGenerator<JsonRecord> {
  const words = new JsonWords();
  let reader: RecordReader | null = null;
  let start = '';
  let sinceRecord = 0;
  for await (const chunk of decoded(source.open(), source.encoding)) {
    if (reader === null) {
      start += chunk;
      if (/^\s*[^\s[{]/u.test(start)) throw new Damaged(`not JSON, but ${describeContent(start)}`);
      if (start.length < START_CHARACTERS) continue;
    }
    const text = reader === null ? start : chunk;
    reader ??= new RecordReader(shape, start);
    const records = reader.write(() => words.write(text));
    sinceRecord = records.length === 0 ? sinceRecord + chunk.length : 0;
    if (sinceRecord > RECORD_CHARACTERS_MAX) throw new Damaged('a record without an end', reader.place());
    yield* records;
  }
  if (start.trim() === '') return;
  if (reader === null) {
    reader = new RecordReader(shape, start);
    yield* reader.write(() => words.write(start));
  }
  yield* reader.write(() => words.end());
  yield* reader.end();
  if (!reader.hasList) {
    const list = shape.list.slice(2) || 'of records';
    throw new Damaged(`JSON without the list ${list}: ${describeContent(start)}`);
  }
}

interface Place {
  /** JSON path of the list. */
  readonly list: string;
  /** True if the text is one record, or several that follow each other. */
  readonly isOne: boolean;
  /** True if its first record has no name of the format. */
  readonly isForeign: boolean;
}

/** Where the records of a text are, by its start. */
function placeOf({ list, score }: ListShape, start: string): Place {
  const { names } = memberNames(start);
  const isRecord = score(names) >= SIGNS_OF_A_RECORD;
  const isList = start.trimStart().startsWith('[');
  const wrapper = list.slice(list.lastIndexOf('.') + 1);
  if (wrapper !== '$' && names.has(wrapper))
    return { list: isList ? list.replace('$', '$.*') : list, isOne: false, isForeign: false };
  const isForeign = names.size > 0 && score(names) === 0 && !names.has('id');
  return { list: isList && isRecord ? '$' : list, isOne: isRecord && !isList, isForeign };
}

/** An error message in JSON has at most one name of a format. */
const SIGNS_OF_A_RECORD = 2;

/** Keeps the original text if parsing would change a number. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    // The parser passes any value through; only its type says number.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return numberOf(text) as number;
  }
}

/** Feeds the streaming parser and collects the records of the list. */
class RecordReader {
  hasList = false;
  readonly #tokenizer = new ExactTokenizer({ separator: '' });
  readonly #parser: TokenParser;
  readonly #depth: number;
  /** Depth of an answer with a list; -1 if there are none. */
  readonly #pageDepth: number;
  #pages = 0;
  #isListInPage = false;
  readonly #bounds = new JsonBounds();
  /** Characters of strings since the last record. */
  #characters = 0;
  #found: JsonRecord[] = [];
  #count = 0;

  constructor(shape: ListShape, start: string) {
    const { list, isOne, isForeign } = placeOf(shape, start);
    this.hasList = isOne;
    this.#depth = isOne ? 0 : list.split('.').length;
    this.#pageDepth = isOne || list === '$' ? -1 : list.startsWith('$.*') ? 1 : 0;
    const paths = isOne ? ['$'] : [`${list}.*`, list];
    this.#parser = new TokenParser({ paths, keepStack: false, separator: '' });
    this.#tokenizer.onToken = (token) => {
      this.#measure(token);
      this.#parser.write(token);
    };
    this.#parser.onValue = ({ value, parent, stack }) => {
      if (isOne) this.#take(value);
      else if (stack.length === this.#depth && Array.isArray(parent)) {
        this.#take(value);
        // The parser also returns the list itself, which must not collect the records.
        parent.length = 0;
      } else if (stack.length < this.#depth && Array.isArray(value)) {
        this.hasList = !isForeign;
        this.#isListInPage = true;
      }
    };
  }

  /** @param text gives the text; it may throw NotJson. */
  write(text: () => string): JsonRecord[] {
    return this.#run(() => this.#tokenizer.write(text()));
  }

  end(): JsonRecord[] {
    return this.#run(() => {
      this.#tokenizer.end();
      this.#parser.end();
    });
  }

  place(): string {
    return this.#count === 0 ? 'before the first record' : `after record ${this.#count}`;
  }

  /** Called for each token before the parser builds a value. */
  #measure({ token, value }: Parameters<Tokenizer['onToken']>[0]): void {
    if (typeof value === 'string') this.#characters += value.length;
    else if (isRawNumber(value)) this.#characters += JSON.stringify(value).length;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#bounds.open();
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      this.#bounds.close();
      if (token === TokenType.RIGHT_BRACE && this.#bounds.depth === this.#pageDepth) this.#endPage();
    } else if (token === TokenType.COMMA) this.#bounds.comma();
    else if (token !== TokenType.COLON) this.#bounds.begin();
  }

  /** An answer without its list, such as an error, among others means that decisions are missing. */
  #endPage(): void {
    this.#pages += 1;
    if (!this.#isListInPage && this.#pages > 1)
      throw new Damaged(`page ${this.#pages} has no list of records`);
    this.#isListInPage = false;
  }

  #take(value: unknown): void {
    this.#count += 1;
    const size = this.#characters + VALUE_CHARACTERS * this.#bounds.values;
    this.#found.push({ value, number: this.#count, size });
    this.#characters = 0;
    this.#bounds.nextRecord();
  }

  #run(work: () => void): JsonRecord[] {
    try {
      work();
    } catch (error) {
      if (error instanceof Damaged) throw new Damaged(error.message, this.place());
      if (error instanceof BeyondBounds) throw new Damaged(error.message, this.place());
      const reason = error instanceof Error ? error.message : String(error);
      const isCut = /ended in/u.test(reason);
      const [, unexpected] = /^Unexpected "(.)"/u.exec(reason) ?? [];
      const what = unexpected === undefined ? reason : `unexpected ${unexpected}`;
      throw new Damaged(isCut ? 'cut: the JSON ends too early' : `broken JSON: ${what}`, this.place());
    }
    const found = this.#found;
    this.#found = [];
    return found;
  }
}
