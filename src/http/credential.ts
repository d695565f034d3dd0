/** What an `Authorization` header holds: a bearer credential, one that is malformed, or none of that scheme. */
export type Credential = { readonly token: string } | 'malformed' | 'none';

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/iu;

/**
 * Holds the credential to RFC 6750. The bearer plugin takes the scheme's case literally, lets `BearerX` pass,
 * and falls back to `?access_token=`: what it found counts only when the header says the same.
 * @param found the plugin's reading.
 */
export function credentialOf(authorization: string | null, found: string | undefined): Credential {
  if (authorization === null) return 'none';
  if (!/^bearer(?: |$)/iu.test(authorization)) return 'none';
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return 'malformed';
  if (authorization.startsWith('Bearer ') && found?.trim() !== token) return 'malformed';
  return { token };
}
