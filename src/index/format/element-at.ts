import { DamagedBase } from './seal.ts';

/** The element at an index that is always there in a sound base. @throws DamagedBase */
export function elementAt<T>(array: ArrayLike<T>, index: number): T {
  const element = array[index];
  if (element === undefined) throw new DamagedBase(`there is no element ${index} of ${array.length}`);
  return element;
}
