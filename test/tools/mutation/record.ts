import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';

/** What came of a change: a test failed, a run never ended, or no test noticed. */
export type Result = 'failed' | 'endless' | 'unnoticed';

export interface Tried extends Mutant {
  readonly file: string;
  /** The changed line as it stands in the file. */
  readonly text: string;
  readonly result: Result;
}

/** What a test file took of a processor without a change. */
interface Timed {
  readonly test: string;
  readonly seconds: number;
}

/** What was done so far, a JSON object a line, so that a long run can go in pieces. Without a path, in memory. */
export class Record {
  readonly tried: Tried[] = [];
  readonly secondsOf = new Map<string, number>();
  readonly #path: string | undefined;

  constructor(path?: string) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      const entry = JSON.parse(line) as Tried | Timed;
      if ('test' in entry) this.secondsOf.set(entry.test, entry.seconds);
      else this.tried.push(entry);
    }
  }

  /** Whether this change of this very line was tried. */
  has(file: string, { at, before }: Mutant, text: string): boolean {
    return this.tried.some(
      (old) => old.file === file && old.at === at && old.before === before && old.text === text,
    );
  }

  add(tried: Tried): void {
    this.tried.push(tried);
    this.#append(tried);
  }

  addTime(test: string, seconds: number): void {
    this.secondsOf.set(test, seconds);
    this.#append({ test, seconds });
  }

  #append(entry: Tried | Timed): void {
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }
}

/** A line for each folder and one for all: changes tried, noticed (endless runs among them), and not noticed. */
export function summary(tried: readonly Tried[]): string {
  const folders = Map.groupBy(tried, ({ file }) => file.slice(0, file.lastIndexOf('/')));
  const lines = [...folders].map(([folder, of]) => scoreLine(folder, of));
  return [...lines, scoreLine('score', tried)].join('\n');
}

function scoreLine(name: string, tried: readonly Tried[]): string {
  const count = (result: Result) => tried.filter((one) => one.result === result).length;
  const noticed = tried.length - count('unnoticed');
  const share = tried.length === 0 ? '' : `, ${((100 * noticed) / tried.length).toFixed(1)}%`;
  const endless = count('endless') === 0 ? '' : ` (${count('endless')} by a run without end)`;
  return `${name}: ${noticed} of ${tried.length} changes noticed${share}${endless}`;
}
