import { adminErro } from '../answer.ts';

/** A change that may need confirmation: `confirmado` if the operator accepts the risk. */
type Confirmable<Name extends string, Value> = Readonly<Record<Name, Value>> & {
  readonly confirmado?: boolean;
};

export function isNewValue(body: unknown): body is Confirmable<'valor', number> {
  return isConfirmable(body, 'valor') && Number.isInteger(body.valor);
}

function isConfirmable<Name extends string>(body: unknown, name: Name): body is Confirmable<Name, unknown> {
  if (!hasOnly(body, [name], 'confirmado')) return false;
  return body.confirmado === undefined || typeof body.confirmado === 'boolean';
}

const COTA_MAX = 9_999_999_999;

export function isNewKey(body: unknown): body is { readonly nome: string; readonly cota: number | null } {
  if (!hasOnly(body, ['nome', 'cota']) || typeof body.nome !== 'string') return false;
  const { cota } = body;
  return (
    cota === null || (typeof cota === 'number' && Number.isInteger(cota) && cota >= 1 && cota <= COTA_MAX)
  );
}

/** The request's body if its shape is valid; else a refusal with an example. */
export async function readBody<Shape>(
  request: Request,
  isOfShape: (body: unknown) => body is Shape,
  example: string,
): Promise<Shape | Response> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    return adminErro(400, `o corpo não é JSON válido; envie, por exemplo, ${example}`);
  }
  return isOfShape(body)
    ? body
    : adminErro(400, `o corpo não tem a forma certa; envie, por exemplo, ${example}`);
}

/** Written by hand, like the checks above: a schema for two small shapes would load the schema library at every start. */
function hasOnly<Name extends string, Optional extends string = never>(
  body: unknown,
  names: readonly Name[],
  optional?: Optional,
): body is Record<Name, unknown> & Partial<Record<Optional, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const others = Object.keys(body).filter((name) => name !== optional);
  return others.length === names.length && names.every((name) => Object.hasOwn(body, name));
}
