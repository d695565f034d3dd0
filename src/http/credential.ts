const BEARER = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*) *$/iu;

/**
 * Normalises an `Authorization` header for the bearer plugin, which compares the scheme case-sensitively and accepts
 * `BearerX`; RFC 6750 and RFC 9110 forbid both.
 * @returns `Bearer <token>`; with an empty token where a bearer credential is malformed; undefined if there is none.
 */
export function strictBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer(?: |$)/iu.test(authorization)) return undefined;
  return `Bearer ${BEARER.exec(authorization)?.groups?.['token'] ?? ''}`;
}
