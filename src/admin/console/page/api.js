/** @import { Answers } from './types.d.ts' */

/** A failed request, with a message for the operator. */
export class ApiError extends Error {
  /** True when there was no answer; the message is removed once the service is back. */
  isOutOfReach = false;
  /** What would happen, when the service asks for a confirmation. @type {string | null} */
  risk = null;
}

const LIMIT_MS = 15_000;
const STREAM_LIMIT_MS = 3_000;

/** @param {string} method @param {string} path @param {object} [body] */
async function call(method, path, body) {
  let response;
  try {
    response = await fetch(`/console/api/${path}`, {
      method,
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const failure = new ApiError(
      isLate
        ? 'O serviço não respondeu em 15 s; tente de novo.'
        : 'O serviço não está ao alcance; tente de novo quando ele voltar.',
    );
    failure.isOutOfReach = true;
    throw failure;
  }
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  const failure = new ApiError(sentence(answer?.erro ?? `o serviço respondeu ${response.status}`));
  failure.risk = answer?.risco === undefined ? null : sentence(answer.risco);
  throw failure;
}

/** The text as a sentence; a text of several lines keeps its end. @param {string} text */
function sentence(text) {
  const end = text.includes('\n') ? '' : '.';
  // A message that begins with a field's name keeps its first letter.
  return /^[a-z_]+:/u.test(text) ? `${text}${end}` : `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

/**
 * Why the service refuses a stream, in its own words; null if it accepts, or is out of reach. An EventSource itself
 * only learns that it failed.
 * @param {string} path
 */
export async function refusalOf(path) {
  const gone = new AbortController();
  try {
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(STREAM_LIMIT_MS)]);
    const response = await fetch(`/console/api/${path}`, { signal });
    return response.ok ? null : sentence((await response.json()).erro);
  } catch {
    return null;
  } finally {
    gone.abort();
  }
}

/** @template {keyof Answers} P @param {P} path @param {string} [query] @returns {Promise<Answers[P]>} */
export const get = (path, query = '') => call('GET', `${path}${query}`);

/** @template T @param {string} path @param {object} [body] @returns {Promise<T>} */
export const post = (path, body) => call('POST', path, body);

/**
 * Puts a value; where the service wants a confirmation, it asks the operator first.
 * @template T @param {string} path @param {object} body @param {(risk: string) => Promise<boolean>} confirm
 * @returns {Promise<T | null>} null if the operator says no.
 */
export async function put(path, body, confirm) {
  try {
    return await call('PUT', path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.risk === null) throw error;
    if (!(await confirm(error.risk))) return null;
    return call('PUT', path, { ...body, confirmado: true });
  }
}
