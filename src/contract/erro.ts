import { Type, type Static } from 'typebox';

/**
 * The catalogue of errors: each `codigo`, its HTTP status, and when it is given (spec section 7;
 * the statuses that the spec leaves open, and `ERRO_INTERNO`, are this service's own choice).
 */
export const ERROS = {
  PARAMETRO_INVALIDO: { status: 400, quando: 'A parameter is missing, unknown, repeated or not valid' },
  CONSULTA_INVALIDA: { status: 400, quando: 'The text of `q` cannot be read as a query' },
  NAO_AUTORIZADO: { status: 401, quando: 'The key is missing or not valid' },
  ROTA_NAO_ENCONTRADA: { status: 404, quando: 'The path matches no route' },
  DECISAO_NAO_ENCONTRADA: { status: 404, quando: 'No such decision in the base' },
  METODO_NAO_PERMITIDO: { status: 405, quando: 'A method other than GET' },
  COTA_ESGOTADA: { status: 429, quando: 'The daily quota of the key is used up' },
  ERRO_INTERNO: { status: 500, quando: 'A fault of the service itself' },
  TEMPO_ESGOTADO: { status: 504, quando: 'A record read got no answer in its window' },
} as const;

export type Codigo = keyof typeof ERROS;

export const CodigoSchema = Type.Enum(Object.keys(ERROS));

/** Error body (spec section 2, Erro). */
export const ErroSchema = Type.Object(
  { erro: Type.String(), codigo: CodigoSchema },
  { additionalProperties: false },
);
export type Erro = Static<typeof ErroSchema>;

/** A refusal of a request, as a value: its code and a message that says the mend, in Portuguese. */
export interface Recusa {
  readonly codigo: Codigo;
  readonly erro: string;
}

export function recusa(codigo: Codigo, erro: string): Recusa {
  return { codigo, erro };
}
