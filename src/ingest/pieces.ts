const PIECES_MAX = 10_000;

/**
 * Joins pieces of a text before they are added to it: an HTML parser gives each entity by itself, and a text to which millions
 * of pieces were added one by one takes many times its size.
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

  /** Something else than text follows. */
  end(): void {
    if (this.#pieces.length === 0) return;
    this.#add(this.#pieces.join(''));
    this.#pieces = [];
  }
}
