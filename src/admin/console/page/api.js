/** What a request came back with: its JSON, or why it failed, in words for the operator. */
export class ApiError extends Error {}

const LIMIT_MS = 15_000;

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
    throw new ApiError(
      isLate
        ? 'O serviço não respondeu em 15 s; tente de novo.'
        : 'O serviço não está ao alcance; tente de novo quando ele voltar.',
    );
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(sentence(answer?.erro ?? `o serviço respondeu ${response.status}`));
  return answer;
}

function sentence(text) {
  const first = text.charAt(0);
  // A message that begins with the name of a field keeps it as it is.
  return /^[a-z_]+:/u.test(text) ? `${text}.` : `${first.toUpperCase()}${text.slice(1)}.`;
}

export const get = (path) => call('GET', path);
export const put = (path, body) => call('PUT', path, body);
export const post = (path, body) => call('POST', path, body);
