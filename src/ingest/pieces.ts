const PIECES_MAX = 10_000;

/**
 * Joins pieces of a text before they are added to it: an HTML parser emits each entity separately, and a text that grows by
 * millions of pieces one by one takes many times its size.
 */
export class Pieces {
  readonly #add: (text: string) => void;
  #pieces: string[] = [];

  constructor(add: (text: string) => void) {
    this.#add = add;
  }

  push(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === PIECES_MAX) this.end();
  }

  /** Anything other than text follows. */
  end(): void {
    if (this.#pieces.length === 0) return;
    this.#add(this.#pieces.join(''));
    this.#pieces = [];
  }
}
