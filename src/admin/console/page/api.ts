import type { DescribedRequest } from '../../../http/described-request.ts';
import type { CoverageActor } from '../../../search/coverage.ts';
import type { AbsentWords } from '../absent-words.ts';
import type { KeyReport } from '../keys-routes.ts';
import type { LiveSeries } from '../live-routes.ts';
import type { FoundPage } from '../search-routes.ts';
import type { SettingsReport } from '../settings-routes.ts';

/** Answers of `GET /console/api/…`, by path. */
export interface Answers {
  readonly serie: LiveSeries;
  readonly ajustes: SettingsReport;
  readonly busca: FoundPage;
  readonly buscas: {
    readonly lenta_ms: number;
    readonly buscas: readonly DescribedRequest[];
  };
  readonly ausentes: { readonly palavras: ReturnType<AbsentWords['listed']> | null };
  readonly chaves: { readonly chaves: readonly KeyReport[]; readonly danificadas: readonly string[] };
  readonly cobertura: CoverageActor['current'];
}

/** A failed request, with a message for the operator. */
export class ApiError extends Error {
  /** True if there was no answer; the message is removed once the service is back. */
  isOutOfReach = false;
  /** The risk, if the service asks for confirmation. */
  risk: string | null = null;
}

const LIMIT_MS = 15_000;

async function call(method: string, path: string, body?: object, limitMs = LIMIT_MS) {
  let response;
  try {
    // Of an address with a password in it fetch refuses a relative one.
    response = await fetch(`${location.origin}/console/api/${path}`, {
      method,
      signal: AbortSignal.timeout(limitMs),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    const message = isTimeout
      ? 'O serviço não respondeu a tempo; tente de novo.'
      : 'O serviço não está ao alcance; tente de novo quando ele voltar.';
    throw Object.assign(new ApiError(message), { isOutOfReach: true });
  }
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  const risk = answer?.risco === undefined ? null : sentence(answer.risco);
  throw Object.assign(new ApiError(sentence(answer?.erro ?? `o serviço respondeu ${response.status}`)), {
    risk,
  });
}

/** The text as a sentence; multi-line text keeps its end. */
function sentence(text: string) {
  const end = text.includes('\n') ? '' : '.';
  // A message that begins with a field's name keeps its case.
  return /^[a-z_]+:/u.test(text) ? `${text}${end}` : `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

export const get = <P extends keyof Answers>(path: P, query = '', limitMs?: number): Promise<Answers[P]> =>
  call('GET', `${path}${query}`, undefined, limitMs);

/** The caller gives the answer's type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const post = <T>(path: string, body?: object): Promise<T> => call('POST', path, body);

/**
 * Puts a value; if the service requires confirmation, asks the operator first.
 * @returns null if the operator declines.
 */
export async function put<T>(
  path: string,
  body: object,
  confirm: (risk: string) => Promise<boolean>,
): Promise<T | null> {
  try {
    return await call('PUT', path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.risk === null) throw error;
    if (!(await confirm(error.risk))) return null;
    return call('PUT', path, { ...body, confirmado: true });
  }
}
