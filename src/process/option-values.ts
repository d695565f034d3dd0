import { InvalidArgumentError } from 'commander';

/** A parser of an option's value. */
export function number(
  min: number,
  max: number,
  shape = /^\d+(?:\.\d+)?$/u,
  kind = 'number',
): (text: string) => number {
  return (text) => {
    const value = shape.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a ${kind} from ${min} to ${max}.`);
  };
}

export function whole(min: number, max: number): (text: string) => number {
  return number(min, max, min < 0 ? /^-?\d{1,16}$/u : /^\d{1,16}$/u, 'whole number');
}
