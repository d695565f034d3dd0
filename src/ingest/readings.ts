/** How far several readings of one file have come, told as if it were read once. */
export class Readings {
  size: number | null = null;
  #reading = 0;
  #readings = 1;
  #bytes = 0;
  readonly #onProgress: (bytes: number) => void;

  constructor(onProgress: (bytes: number) => void) {
    this.#onProgress = onProgress;
  }

  /** A reading from the start of the file, the first one being 0. */
  start(reading: number, readings: number): void {
    this.#reading = reading;
    this.#readings = readings;
    this.#bytes = 0;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.report();
  }

  report(): void {
    const size = this.size ?? this.#bytes;
    this.#onProgress((this.#reading * size + Math.min(this.#bytes, size)) / this.#readings);
  }
}
