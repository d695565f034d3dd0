export const DAY_MS = 86_400_000;

/** Numbers that all processes of a service add to: in memory, in a parent process, or in a stream of NATS. */
export interface Counters {
  /**
   * @param name `DAY.KEY`, the day since 1970; counters of earlier days are forgotten.
   * @param id of this addition: a repeated id counts once.
   * @returns the counter afterwards; null if the addition was counted before.
   * @throws without an answer within the time limit: the addition may have counted.
   */
  add(name: string, units: number, id: string): number | null | Promise<number | null>;
  /** Reads the counter from a replica, which may be slightly behind. @throws without an answer in time. */
  read(name: string): number | Promise<number>;
}

/** A clock may step back over midnight, or be days ahead until it is put right. */
const DAYS_KEPT = 3;

/** Counters of this process. An addition always counts and gets an immediate answer, so no id comes twice. */
export class MemoryCounters implements Counters {
  readonly #values = new Map<string, number>();
  /** The latest days, newest first. */
  #days: readonly string[] = [];

  add(name: string, units: number): number {
    const known = this.#values.get(name);
    if (known === undefined) this.#begin(dayOf(name));
    const value = (known ?? 0) + units;
    this.#values.set(name, value);
    return value;
  }

  read(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  #begin(day: string): void {
    if (this.#days.includes(day)) return;
    this.#days = [day, ...this.#days].slice(0, DAYS_KEPT);
    for (const name of this.#values.keys()) if (!this.#days.includes(dayOf(name))) this.#values.delete(name);
  }
}

export function counterName(day: number, key: string): string {
  return `${day}.${key}`;
}

export function dayOfTime(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}

function dayOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
