/** Reports the progress of several passes over one file as if it were one pass. */
export class PassProgress {
  size: number | null = null;
  #pass = 0;
  #passes = 1;
  #bytes = 0;
  readonly #onProgress: (bytes: number) => void;

  constructor(onProgress: (bytes: number) => void) {
    this.#onProgress = onProgress;
  }

  /** Begins a pass; the first one is 0. */
  start(pass: number, passes: number): void {
    this.#pass = pass;
    this.#passes = passes;
    this.#bytes = 0;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.report();
  }

  report(): void {
    const size = this.size ?? this.#bytes;
    this.#onProgress((this.#pass * size + Math.min(this.#bytes, size)) / this.#passes);
  }
}
