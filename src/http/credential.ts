const BEARER = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*) *$/iu;

/**
 * An `Authorization` header as the bearer plugin reads it right. It takes the scheme's case literally and lets `BearerX`
 * pass; RFC 6750 and RFC 9110 do neither.
 * @returns `Bearer <token>`; with an empty token where a bearer credential is malformed; undefined where there is none.
 */
export function strictBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer(?: |$)/iu.test(authorization)) return undefined;
  return `Bearer ${BEARER.exec(authorization)?.groups?.['token'] ?? ''}`;
}
