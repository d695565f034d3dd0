const known = new WeakMap<object, string>();

/**
 * A short digest of a part of a request, for cache keys: the part may be hundreds of characters long, and all bases get
 * the same object, whose digest is computed once. SHA-256 keeps two different parts apart.
 */
export function digestOf(part: object): string {
  let digest = known.get(part);
  if (digest === undefined) {
    digest = Bun.SHA256.hash(JSON.stringify(part), 'base64');
    known.set(part, digest);
  }
  return digest;
}
