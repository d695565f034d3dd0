/**
 * A word or phrase as a span in a pool of Latin-1 bytes: start times 256 plus length. Texts
 * are built by copying bytes. Joined strings, scattered over the heap, took three
 * times as long, mostly memory latency.
 */
export type Piece = number;

/** No text at all. */
export const NOTHING: Piece = 0;

const LENGTH_BITS = 8;
const LENGTH_MAX = 2 ** LENGTH_BITS - 1;
const FULL_STOP = 46;
const POOL_BYTES = 2 ** 22;
/** The end of the pool is a ring buffer for rare words; it has space for thousands. */
const SCRATCH = POOL_BYTES - 2 ** 16;
/** Longer than any ementa (courts.ts) plus a last sentence. */
const TEXT_BYTES_MAX = 2 ** 16;

const pool = new Uint8Array(POOL_BYTES);
let used = 0;
let scratch = SCRATCH;

/** Capitals of the Latin-1 characters; `º`, `ª`, `ß` and the like stay as they are. */
const capitals = Uint8Array.from({ length: 256 }, (_, code) => {
  const capital = String.fromCharCode(code).toUpperCase();
  return capital.length === 1 && capital.charCodeAt(0) < 256 ? capital.charCodeAt(0) : code;
});

/** Stores a text permanently. */
export function keep(text: string): Piece {
  used += text.length;
  // The lists and their caches are bounded, so a full pool is a bug.
  if (used > SCRATCH) throw new Error('the pool of pieces is full');
  return store(text, used - text.length);
}

/** Stores a text temporarily, long enough for one decision. */
export function hold(text: string): Piece {
  if (scratch + text.length > POOL_BYTES) scratch = SCRATCH;
  scratch += text.length;
  return store(text, scratch - text.length);
}

/** Joins some pieces and stores the text temporarily. */
export function join(pieces: readonly Piece[]): Piece {
  if (scratch + LENGTH_MAX > POOL_BYTES) scratch = SCRATCH;
  const start = scratch;
  let at = start;
  for (const piece of pieces) {
    const from = piece >>> LENGTH_BITS;
    const end = from + (piece & LENGTH_MAX);
    for (let byte = from; byte < end; byte += 1, at += 1) pool[at] = pool[byte] ?? 0;
  }
  scratch = at;
  return start * 2 ** LENGTH_BITS + at - start;
}

function store(text: string, start: number): Piece {
  if (text.length > LENGTH_MAX) throw new Error(`too long for a piece: ${text}`);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 255) throw new Error(`not Latin-1: ${text}`);
    pool[start + index] = code;
  }
  return start * 2 ** LENGTH_BITS + text.length;
}

/** A piece's text. */
export function textOf(piece: Piece): string {
  const start = piece >>> LENGTH_BITS;
  return Buffer.from(pool.subarray(start, start + (piece & LENGTH_MAX))).toString('latin1');
}

/** A text builder in Latin-1. */
export class TextBuffer {
  readonly #bytes = Buffer.alloc(TEXT_BYTES_MAX);
  /** The length in characters, which are bytes here. A smaller value removes the end. */
  length = 0;

  /** Adds a piece. A full stop at its start is not doubled: "Tervani Ltda." ends a sentence. */
  put(piece: Piece): void {
    const bytes = this.#bytes;
    let from = piece >>> LENGTH_BITS;
    const end = from + (piece & LENGTH_MAX);
    let at = this.length;
    if (from < end && pool[from] === FULL_STOP && bytes[at - 1] === FULL_STOP) from += 1;
    while (from < end) {
      bytes[at] = pool[from] ?? 0;
      at += 1;
      from += 1;
    }
    this.length = at;
  }

  /** Adds a text that is not a piece, such as a number. */
  write(text: string): void {
    for (let index = 0; index < text.length; index += 1)
      this.#bytes[this.length + index] = text.charCodeAt(index);
    this.length += text.length;
  }

  /** Converts the text from `start` to `end` to capitals. */
  capitalize(start: number, end = this.length): void {
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) bytes[at] = capitals[bytes[at] ?? 0] ?? 0;
  }

  /** Returns the text and clears it. */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.length);
    this.length = 0;
    return text;
  }
}
