import type { Codigo } from './types.ts';

interface Facts {
  readonly status: number | null;
  readonly codigo?: Codigo | null;
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/** Every failure of a call but an abort, which throws the signal's own reason. */
export class JurisprudenciaError extends Error {
  override readonly name = 'JurisprudenciaError';
  /** The contract's code; null where the answer had none: the per-IP limit, a proxy, no answer at all. */
  readonly codigo: Codigo | null;
  /** The HTTP status; null where the service was not reached. */
  readonly status: number | null;
  /** How long the service asks to wait, milliseconds. */
  readonly retryAfterMs: number | null;
  /** Under which the service's log has the request. */
  readonly requestId: string | null;

  constructor(message: string, { status, codigo, retryAfterMs, requestId, cause }: Facts) {
    super(message, { cause });
    this.codigo = codigo ?? null;
    this.status = status;
    this.retryAfterMs = retryAfterMs ?? null;
    this.requestId = requestId ?? null;
  }
}

const MESSAGE_LENGTH_MAX = 200;

/** What a refusal says: the contract's error body, or the text of the layer before the API. */
export async function errorOf(response: Response): Promise<JurisprudenciaError> {
  const text = await response.text();
  const { erro, codigo } = readErro(text);
  const plain = text.startsWith('<') ? '' : text.trim().slice(0, MESSAGE_LENGTH_MAX);
  return new JurisprudenciaError(erro ?? unlikeTheService(response.status, plain), {
    status: response.status,
    codigo,
    retryAfterMs: askedToWaitMs(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
  });
}

/** What answered is the per-IP limit, or stands between here and the service, or is none of it. */
function unlikeTheService(status: number, text: string): string {
  const said = text === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`;
  if (status === 429) return text === '' ? said : text;
  return status < 500 ? `quem respondeu não é o serviço; confira o endereço (${said})` : said;
}

function readErro(text: string): { erro: string | null; codigo: Codigo | null } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'erro' in body && 'codigo' in body) {
      // The service's own body; a code that this version does not know is handed on as it is.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { erro: String(body.erro), codigo: body.codigo as Codigo };
    }
  } catch {
    // Plain text: the per-IP limit, or something between here and the service.
  }
  return { erro: null, codigo: null };
}

/** Seconds, or a date as proxies may give it; a second at least, so that waits are bounded in number too. */
function askedToWaitMs(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/u.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(1000, ms);
}
