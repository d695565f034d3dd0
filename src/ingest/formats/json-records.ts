import { TokenParser, TokenType, Tokenizer } from '@streamparser/json';
import { BeyondBounds, JsonBounds, RECORD_CHARACTERS_MAX } from '../bounds.ts';
import { Damaged } from '../damaged.ts';
import { describeContent } from '../describe.ts';
import { decoded } from '../encoding.ts';
import { isRawNumber, numberOf } from '../raw-number.ts';
import { sealedBy } from '../secrecy.ts';
import { isObject, type Members } from './fields.ts';
import { toItem, type Found, type Mapped, type Source } from './format.ts';

/** Where the records of a format are. */
export interface ListShape {
  /** JSON path of their list; `$` is the whole text. */
  readonly list: string;
  /** What messages call a record. */
  readonly noun: string;
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
const START_CHARACTERS = 2_000;

/** Reads records that are JSON objects. @throws Damaged as `readRecords` does, or if a record is not an object. */
export async function* readObjects(
  source: Source,
  { list, noun }: ListShape,
  map: (record: Members) => Mapped,
): AsyncGenerator<Found> {
  for await (const { value, number, size } of readRecords(source, list)) {
    const place = `${noun} ${number}`;
    if (!isObject(value)) throw new Damaged(`a ${noun} that is not an object`, place);
    const raw = { text: () => JSON.stringify(value), size };
    yield { place, item: (last) => toItem(() => map(value), last, raw), sealedBy: () => sealedBy(value) };
  }
}

/**
 * The records in a JSON text or in several consecutive ones, each as soon as it is complete.
 * @throws Damaged if the text is not JSON, is cut, or does not have the list.
 */
export async function* readRecords(source: Source, list: string): AsyncGenerator<JsonRecord> {
  const reader = new RecordReader(list);
  let start = '';
  let sinceRecord = 0;
  for await (const chunk of decoded(source.open(), source.encoding)) {
    if (start.length < START_CHARACTERS) {
      start += chunk.slice(0, START_CHARACTERS);
      if (/^\s*[^\s[{]/u.test(start)) throw new Damaged(`not JSON, but ${describeContent(start)}`);
    }
    const records = reader.write(chunk);
    sinceRecord = records.length === 0 ? sinceRecord + chunk.length : 0;
    if (sinceRecord > RECORD_CHARACTERS_MAX) throw new Damaged('a record without an end', reader.place());
    yield* records;
  }
  if (start.trim() === '') return;
  yield* reader.end();
  if (!reader.hasList) {
    throw new Damaged(`JSON without the list ${list.slice(2) || 'of records'}: ${describeContent(start)}`);
  }
}

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
  readonly #bounds = new JsonBounds();
  /** Characters of strings since the last record. */
  #characters = 0;
  #found: JsonRecord[] = [];
  #count = 0;

  constructor(list: string) {
    this.#depth = list.split('.').length;
    this.#parser = new TokenParser({ paths: [`${list}.*`, list], keepStack: false, separator: '' });
    this.#tokenizer.onToken = (token) => {
      this.#measure(token);
      this.#parser.write(token);
    };
    this.#parser.onValue = ({ value, parent, stack }) => {
      if (stack.length === this.#depth && Array.isArray(parent)) {
        this.#take(value);
        // The parser also returns the list itself, which must not collect the records.
        parent.length = 0;
      } else if (stack.length < this.#depth && Array.isArray(value)) this.hasList = true;
    };
  }

  write(chunk: string): JsonRecord[] {
    return this.#run(() => this.#tokenizer.write(chunk));
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
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#bounds.close();
    else if (token === TokenType.COMMA) this.#bounds.comma();
    else if (token !== TokenType.COLON) this.#bounds.begin();
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
      if (error instanceof BeyondBounds) throw new Damaged(error.message, this.place());
      const reason = error instanceof Error ? error.message : String(error);
      const isCut = /ended in/u.test(reason);
      throw new Damaged(isCut ? 'cut: the JSON ends too early' : `broken JSON: ${reason}`, this.place());
    }
    const found = this.#found;
    this.#found = [];
    return found;
  }
}
