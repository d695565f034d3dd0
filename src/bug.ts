/**
 * Ends what cannot go on: `counts[rank] ?? bug('no count')`, where only a fault of the program leaves it out. What a file, a user or
 * the network can leave out is a value or an error of its own.
 * @throws Error always.
 */
export function bug(what: string): never {
  throw new Error(`a bug: ${what}`);
}
