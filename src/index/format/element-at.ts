import { DamagedBase } from './seal.ts';

/** The element at an index that is always there in a sound base. @throws DamagedBase */
export function elementAt<T>(array: ArrayLike<T>, index: number): T {
  const element = array[index];
  if (element === undefined) throw new DamagedBase(`there is no element ${index} of ${array.length}`);
  return element;
}

/**
 * For `array[index] ?? missing()` in loops over many elements, where the access is as fast as without it: it is never called in a
 * sound base. @throws DamagedBase
 */
export function missing(): never {
  throw new DamagedBase('an element is missing');
}
