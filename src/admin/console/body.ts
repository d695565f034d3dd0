import { adminErro } from '../answer.ts';

/** Written by hand, like the next one: a schema for two small shapes would load the schema library at every start. */
export function isNewValue(body: unknown): body is { readonly valor: number; readonly confirmado?: boolean } {
  const { valor, confirmado = false, ...others } = fieldsOf(body);
  return Number.isInteger(valor) && typeof confirmado === 'boolean' && Object.keys(others).length === 0;
}

const COTA_MAX = 9_999_999_999;

export function isNewKey(body: unknown): body is { readonly nome: string; readonly cota: number | null } {
  const { nome, cota, ...others } = fieldsOf(body);
  const isQuota = cota === null || (Number.isInteger(cota) && Number(cota) >= 1 && Number(cota) <= COTA_MAX);
  return typeof nome === 'string' && isQuota && Object.keys(others).length === 0;
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

/** None for what is no object. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
