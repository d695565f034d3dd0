import type { Codigo } from './types.ts';

interface Facts {
  readonly status: number | null;
  readonly codigo?: Codigo | null;
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/** Any failure of a call except an abort, which throws the signal's reason. */
export class JurisprudenciaError extends Error {
  override readonly name = 'JurisprudenciaError';
  /** The contract's code; null if there is none: per-IP limit, proxy, no answer. */
  readonly codigo: Codigo | null;
  /** The HTTP status; null if the service was not reached. */
  readonly status: number | null;
  /** The requested wait, milliseconds. */
  readonly retryAfterMs: number | null;
  /** The id of the request in the service's log. */
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

/** A response's error: from the contract's error body, or from plain text by a proxy or the IP limit. */
export async function errorOf(response: Response): Promise<JurisprudenciaError> {
  const text = await response.text();
  const { erro, codigo } = readErro(text);
  const plain = text.startsWith('<') ? '' : text.trim().slice(0, MESSAGE_LENGTH_MAX);
  return new JurisprudenciaError(erro ?? unlikeTheService(response.status, plain), {
    status: response.status,
    codigo,
    retryAfterMs: waitMsOf(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
  });
}

/** The per-IP limit, a proxy, or another server answered. */
function unlikeTheService(status: number, text: string): string {
  const said = text === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`;
  if (status === 429) return text === '' ? said : text;
  return status < 500 ? `quem respondeu não é o serviço; confira o endereço (${said})` : said;
}

function readErro(text: string): { erro: string | null; codigo: Codigo | null } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'erro' in body && 'codigo' in body) {
      // The service's own body. An unknown code is passed through.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { erro: String(body.erro), codigo: body.codigo as Codigo };
    }
  } catch {
    // Plain text: the per-IP limit or a proxy.
  }
  return { erro: null, codigo: null };
}

/** Reads seconds, or a date as proxies may send. At least one second, which also limits the number of waits. */
function waitMsOf(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/u.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(1000, ms);
}
