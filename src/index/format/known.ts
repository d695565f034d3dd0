/** A map, or a cache that may drop entries at any time. */
export interface Memory<Key, Of> {
  get(key: Key): Of | undefined;
  set(key: Key, value: NoInfer<Of>): unknown;
}

/** The value for a key, made when it is not in the memory. */
export function known<Key, Of>(memory: Memory<Key, Of>, key: Key, make: () => Of): Of {
  let found = memory.get(key);
  if (found === undefined) memory.set(key, (found = make()));
  return found;
}

/** A function that makes the value for each key once. */
export function once<Key, Of>(make: (key: Key) => Of): (key: Key) => Of {
  const made = new Map<Key, Of>();
  return (key) => known(made, key, () => make(key));
}
