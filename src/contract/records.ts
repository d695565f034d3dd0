/** A record with a value for each key. */
export function forEachOf<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all keys of the type are set
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}

/** The keys of a record that has only the keys of its type. */
export function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return Object.keys(record) as K[];
}
