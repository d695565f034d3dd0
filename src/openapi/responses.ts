import { BuscaSchema } from '../contract/busca.ts';
import { CoberturaSchema } from '../contract/cobertura.ts';
import { DocumentoSchema } from '../contract/documento.ts';
import { ErroSchema } from '../contract/erro.ts';
import { ERROS, type Codigo } from '../contract/recusa.ts';
import type { Rota } from '../contract/rotas.ts';
import { EXEMPLOS, EXEMPLOS_DE_ERRO } from './examples.ts';
import { HEADERS, always, cacheControl, references, type HeaderName } from './headers.ts';
import type { Answer, Media, Parameter, Reference, Schema } from './model.ts';

export const REQUEST_HEADERS: readonly Parameter[] = [
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'O `ETag` da versão que o cliente já tem: se é ainda a mesma, a resposta é 304, sem corpo.',
    schema: { type: 'string' },
    example: 'W/"2k9xw0q1c7f3a"',
  },
  {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Identificador do cliente para esta requisição; volta na resposta, se servir.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{8,64}$' },
    example: 'pedido-0001',
  },
];

const QUOTA = ['RateLimit-Policy', 'RateLimit'] as const;
const TERMS = [
  'Jurisprudencia-Leitura',
  'Jurisprudencia-Avisos',
  'Jurisprudencia-Termos-Ausentes',
  'Jurisprudencia-Termos-Proximos',
] as const;
const OF_BASES = ['Server-Timing', 'Jurisprudencia-Versao'] as const;

/** The body of a 429 by the IP limit: plain text without a code. */
const PLAIN: Media = {
  schema: { type: 'string' },
  examples: {
    ip: {
      summary: 'Requisições demais de um endereço IP',
      value: 'Muitas requisições deste endereço; espere 1 s.\n',
    },
  },
};

/** Responses that several routes share. */
export const RESPONSES = {
  NaoAutorizado: {
    description: `${ERROS.NAO_AUTORIZADO.quando}. Não gasta cota.`,
    headers: references(['X-Request-Id', 'WWW-Authenticate']),
    content: { 'application/json': erro('NAO_AUTORIZADO') },
  },
  MetodoNaoPermitido: {
    description:
      'Resposta a qualquer método que não seja GET, também HEAD (então sem corpo) e OPTIONS; antes da chave e sem gastar cota.',
    headers: references(['X-Request-Id', 'Allow']),
    content: { 'application/json': erro('METODO_NAO_PERMITIDO') },
  },
  LimitePorIp: {
    description: 'Requisições demais de um endereço IP (IPv6: um /64). Em texto puro, sem `codigo`.',
    headers: references(['X-Request-Id', 'Retry-After']),
    content: { 'text/plain': PLAIN },
  },
  // Text first: a client that supports only the first type would otherwise parse the text as JSON.
  CotaOuLimitePorIp: {
    description:
      'Em texto puro: requisições demais de um endereço IP. Em JSON: a cota diária da chave acabou, e os cabeçalhos `RateLimit` vêm junto.',
    headers: references(['X-Request-Id', 'Retry-After', ...QUOTA]),
    content: { 'text/plain': PLAIN, 'application/json': erro('COTA_ESGOTADA') },
  },
  FalhaInterna: {
    description: `${ERROS.ERRO_INTERNO.quando}; repita, e se persistir informe o \`X-Request-Id\`.`,
    headers: references(['X-Request-Id', ...QUOTA]),
    content: { 'application/json': erro('ERRO_INTERNO') },
  },
  RotaNaoEncontrada: {
    description: 'Resposta a qualquer caminho que não seja o de uma rota, seja qual for o método.',
    headers: references(['X-Request-Id']),
    content: { 'application/json': erro('ROTA_NAO_ENCONTRADA') },
  },
} as const satisfies Record<string, Answer>;

/** All responses of a route, by status. */
export function responsesOf(rota: Rota): Record<string, Answer | Reference> {
  return { ...OWN[rota], 405: shared('MetodoNaoPermitido'), 500: shared('FalhaInterna') };
}

const OWN: Record<Rota, Record<string, Answer | Reference>> = {
  cobertura: {
    ...validated('cobertura', { description: 'A cobertura.', schema: CoberturaSchema }),
    429: shared('LimitePorIp'),
  },
  busca: {
    ...validated('busca', {
      description: 'Uma página de resultados, também quando há bases que não responderam.',
      schema: BuscaSchema,
      names: [...OF_BASES, ...TERMS],
      quota: 'Gasta cota como a busca.',
      etag: 'Validador fraco da resposta, dos parâmetros e dos dados das bases; envie-o em `If-None-Match`. Falta se uma base não respondeu, não contou ou não respondeu na ordem pedida.',
    }),
    400: refused(
      'Um parâmetro ou o texto da busca não serve; `erro` diz qual e como remediar. Não gasta cota.',
      'PARAMETRO_INVALIDO',
      'CONSULTA_INVALIDA',
    ),
    401: shared('NaoAutorizado'),
    429: shared('CotaOuLimitePorIp'),
  },
  decisao: {
    ...validated('decisao', {
      description: 'O registro da decisão.',
      schema: DocumentoSchema,
      names: OF_BASES,
      quota: 'Gasta cota como a leitura.',
    }),
    401: shared('NaoAutorizado'),
    404: refused(`${ERROS.DECISAO_NAO_ENCONTRADA.quando}. Gasta cota.`, 'DECISAO_NAO_ENCONTRADA'),
    429: shared('CotaOuLimitePorIp'),
    504: refused(
      `${ERROS.TEMPO_ESGOTADO.quando}, seja qual for o motivo; tente de novo. Gasta cota.`,
      'TEMPO_ESGOTADO',
    ),
  },
};

interface Validated {
  readonly description: string;
  readonly schema: Schema;
  /** Headers of both answers. */
  readonly names?: readonly HeaderName[];
  /** What the 304 says of the quota; undefined for a route without one. */
  readonly quota?: string;
  /** Why the answer may have no validator; undefined if it always has one. */
  readonly etag?: string;
}

/** A route's answer, and the 304 for a client that has it already. */
function validated(rota: Rota, { description, schema, names = [], quota, etag }: Validated) {
  const both = {
    ...references(['X-Request-Id', 'ETag', ...names]),
    ...always(quota === undefined ? [] : QUOTA),
    ...cacheControl(rota),
  };
  const optional = etag !== undefined && { ETag: { ...HEADERS.ETag, description: etag, required: false } };
  return {
    200: {
      description,
      headers: { ...both, ...optional, ...references(['Content-Encoding', 'Vary']) },
      content: { 'application/json': { schema, examples: EXEMPLOS[rota] } },
    },
    304: {
      description: ['A versão do `If-None-Match` é ainda a atual; sem corpo.', quota].join(' ').trimEnd(),
      headers: { ...both, ...references(['Vary']) },
    },
  };
}

function shared(name: keyof typeof RESPONSES): Reference {
  return { $ref: `#/components/responses/${name}` };
}

/** A refusal after the key was accepted. */
function refused(description: string, ...codigos: readonly Codigo[]): Answer {
  return {
    description,
    headers: { ...references(['X-Request-Id']), ...always(QUOTA) },
    content: { 'application/json': erro(...codigos) },
  };
}

/** The error schema, with an example for every possible code. */
function erro(...codigos: readonly Codigo[]): Media {
  const examples = codigos.map((codigo) => [
    codigo,
    { summary: ERROS[codigo].quando, value: { erro: EXEMPLOS_DE_ERRO[codigo], codigo } },
  ]);
  return { schema: ErroSchema, examples: Object.fromEntries(examples) };
}
