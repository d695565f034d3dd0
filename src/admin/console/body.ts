import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { adminErro } from '../answer.ts';

/** What the console's page sends. */
export const ValorSchema = Type.Object({ valor: Type.Integer() }, { additionalProperties: false });
export const NovaChaveSchema = Type.Object(
  {
    nome: Type.String(),
    cota: Type.Union([Type.Integer({ minimum: 1, maximum: 9_999_999_999 }), Type.Null()]),
  },
  { additionalProperties: false },
);

/** The body of a request, when it is of the shape asked for; else the refusal, which says that shape. */
export async function readBody<S extends TSchema>(
  request: Request,
  schema: S,
  example: string,
): Promise<Static<S> | Response> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    return adminErro(400, `o corpo não é JSON válido; envie, por exemplo, ${example}`);
  }
  return Check(schema, body)
    ? body
    : adminErro(400, `o corpo não tem a forma certa; envie, por exemplo, ${example}`);
}
