import { InvalidArgumentError } from 'commander';

/** Reads an option that counts something. @throws InvalidArgumentError, which says the mend. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/u.test(text) && count >= 1 && count <= 100_000_000) return count;
  throw new InvalidArgumentError('It must be a positive whole number, such as 20000.');
}

/** Reads an option in seconds, of which there are `least` or more. @throws InvalidArgumentError */
export function parseSecondsFrom(least: number): (text: string) => number {
  return (text) => {
    const seconds = Number(text);
    if (/^\d+(\.\d+)?$/u.test(text) && seconds >= least && seconds <= 3_600) return seconds;
    throw new InvalidArgumentError(`It must be a number of seconds from ${least} to 3600.`);
  };
}
