const known = new WeakMap<object, string>();

/**
 * A short name of what a part of a request says, for keys: a query may make hundreds of characters of it, and all bases
 * are sent the same part. SHA-256, so that no two texts have the same one.
 */
export function digestOf(part: object): string {
  let digest = known.get(part);
  if (digest === undefined) {
    digest = Bun.SHA256.hash(JSON.stringify(part), 'base64');
    known.set(part, digest);
  }
  return digest;
}
