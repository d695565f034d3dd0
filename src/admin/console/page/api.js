/** A failed request, with a message for the operator. */
export class ApiError extends Error {
  /** True when there was no answer; the message is removed once the service is back. */
  isOutOfReach = false;
  /** What would happen, when the service asks for a confirmation; null otherwise. */
  risk = null;
}

const LIMIT_MS = 15_000;
const STREAM_LIMIT_MS = 3_000;

async function call(method, path, body) {
  const init = { method, signal: AbortSignal.timeout(LIMIT_MS) };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  let response;
  try {
    response = await fetch(`/console/api/${path}`, init);
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
  if (!response.ok) {
    const failure = new ApiError(sentence(answer?.erro ?? `o serviço respondeu ${response.status}`));
    failure.risk = answer?.risco === undefined ? null : sentence(answer.risco);
    throw failure;
  }
  return answer;
}

/** The text as a sentence; a text of several lines keeps its end. */
function sentence(text) {
  const first = text.charAt(0);
  const end = text.includes('\n') ? '' : '.';
  // A message that begins with a field's name keeps its first letter.
  return /^[a-z_]+:/u.test(text) ? `${text}${end}` : `${first.toUpperCase()}${text.slice(1)}${end}`;
}

/**
 * Why the service refuses a stream, in its own words; null if it accepts, or is out of reach. An EventSource itself only
 * learns that it failed.
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

export const get = (path) => call('GET', path);
export const put = (path, body) => call('PUT', path, body);
export const post = (path, body) => call('POST', path, body);
