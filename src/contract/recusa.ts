/**
 * The catalogue of errors: each `codigo`, its HTTP status, and when it occurs (`ERRO_INTERNO` and the
 * statuses that the contract leaves open are this service's choice). Users of the API read `quando`.
 */
export const ERROS = {
  PARAMETRO_INVALIDO: {
    status: 400,
    quando:
      'Um parâmetro falta, não existe, está repetido, vazio ou não é válido; ou o cursor é de outra busca',
  },
  CONSULTA_INVALIDA: {
    status: 400,
    quando: 'O texto de `q` não pode ser lido: aspas ou parênteses abertos, ou nenhuma palavra',
  },
  NAO_AUTORIZADO: { status: 401, quando: 'A chave falta, não é válida ou foi revogada' },
  ROTA_NAO_ENCONTRADA: { status: 404, quando: 'O caminho não é o de nenhuma rota' },
  DECISAO_NAO_ENCONTRADA: { status: 404, quando: 'Não há esta decisão na base' },
  METODO_NAO_PERMITIDO: { status: 405, quando: 'Um método que não é GET' },
  COTA_ESGOTADA: { status: 429, quando: 'A cota diária da chave acabou' },
  ERRO_INTERNO: { status: 500, quando: 'Uma falha do próprio serviço' },
  TEMPO_ESGOTADO: { status: 504, quando: 'A base da decisão não respondeu em sua janela de tempo' },
} as const;

export type Codigo = keyof typeof ERROS;

/** A rejected request, as a value: a code, and a message in Portuguese that tells how to correct the request. */
export interface Recusa {
  readonly codigo: Codigo;
  readonly erro: string;
}

export function recusa(codigo: Codigo, erro: string): Recusa {
  return { codigo, erro };
}
