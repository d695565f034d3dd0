import { adminErro } from '../answer.ts';

/** What the console's page sends: a setting's value. */
export function isNewValue(body: unknown): body is { readonly valor: number } {
  return hasOnly(body, ['valor']) && Number.isInteger(body.valor);
}

const COTA_MAX = 9_999_999_999;

/** And a new key. */
export function isNewKey(body: unknown): body is { readonly nome: string; readonly cota: number | null } {
  if (!hasOnly(body, ['nome', 'cota']) || typeof body.nome !== 'string') return false;
  const { cota } = body;
  return (
    cota === null || (typeof cota === 'number' && Number.isInteger(cota) && cota >= 1 && cota <= COTA_MAX)
  );
}

/** The body of a request, when it is of the shape asked for; else the refusal, which says that shape. */
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

/** By hand, here and above: for two small shapes, a schema would load its library at every start. */
function hasOnly<Name extends string>(body: unknown, names: readonly Name[]): body is Record<Name, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.keys(body).length === names.length && names.every((name) => Object.hasOwn(body, name));
}
