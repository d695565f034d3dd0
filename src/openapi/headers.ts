import { BASES, ORDENS } from '../contract/vocabulary.ts';
import { AVISOS } from '../contract/avisos.ts';
import {
  AUSENTES_LENGTH_MAX,
  CACHE_CONTROL,
  COTA,
  LEITURA_LENGTH_MAX,
  PROXIMOS_LENGTH_MAX,
  REALM,
  type Rota,
} from '../contract/rotas.ts';
import type { Header, Reference } from './model.ts';

const TIMING = `(${BASES.join('|')});dur=[0-9]+(\\.[0-9]{1,2})?(;desc="(${ORDENS.join('|')})")?;cache=(hit|miss)`;
/** A text encoded by `encodeURIComponent`. */
const TERMO = "(?:[A-Za-z0-9\\-_.!~*'()]|%[0-9A-F]{2})+";
/** The percent-encoded ellipsis. */
const CUT = '%E2%80%A6';
const PROXIMO = `${TERMO}=${TERMO}:[0-9]+(;${TERMO}:[0-9]+){0,2}`;
const VERSAO = `(?:${BASES.join('|')})=[0-9]+-[0-9a-f]{8}`;
const AVISO = `(?:${Object.keys(AVISOS).join('|')})`;

/** The response headers by name. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'Identifica esta requisição no registro do serviço: o que o cliente enviou, se tem de 8 a 64 letras, algarismos, `.`, `_` ou `-` e nada que pareça uma chave; senão um novo.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{8,64}$' },
    example: '0b9a4f0e-6f1d-4c53-9d6e-2f3f8a0c1d7b',
  },
  'RateLimit-Policy': {
    description: `A cota da chave: \`q\` consultas em \`w\` segundos (o dia UTC), conforme draft-ietf-httpapi-ratelimit-headers.`,
    schema: { type: 'string', pattern: `^"${COTA.politica}";q=[0-9]+;w=${COTA.segundos}$` },
    example: `"${COTA.politica}";q=50000;w=${COTA.segundos}`,
  },
  RateLimit: {
    description: 'O que resta da cota: `r` consultas até `t` segundos daqui.',
    schema: { type: 'string', pattern: `^"${COTA.politica}";r=[0-9]+;t=[0-9]+$` },
    example: `"${COTA.politica}";r=49873;t=31415`,
  },
  'Retry-After': {
    description: 'Segundos a esperar.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 31_415,
  },
  'WWW-Authenticate': {
    description: 'RFC 6750; `error` só quando veio uma credencial.',
    required: true,
    schema: { type: 'string', pattern: `^Bearer realm="${REALM}"(, error="invalid_token")?$` },
    example: `Bearer realm="${REALM}", error="invalid_token"`,
  },
  Allow: {
    description: 'O único método aceito.',
    required: true,
    schema: { type: 'string', const: 'GET' },
    example: 'GET',
  },
  ETag: {
    description: 'Validador fraco desta versão; envie-o em `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[0-9a-z]+"$' },
    example: 'W/"2k9xw0q1c7f3a"',
  },
  'Server-Timing': {
    description:
      'Para cada base consultada, os milissegundos (`dur`, com até duas casas), numa busca a ordem aplicada (`desc`), e se a resposta foi guardada (`cache=hit`) ou não (`cache=miss`). Falta se nenhuma base foi consultada.',
    schema: { type: 'string', pattern: `^${TIMING}(, ${TIMING})*$` },
    example: 'tst;dur=4.31;desc="relevancia";cache=miss, stf;dur=0.06;desc="relevancia";cache=hit',
  },
  'Jurisprudencia-Versao': {
    description:
      'Os dados de cada base que respondeu: iguais, dizem que duas respostas são dos mesmos dados, também depois de um reinício ou de outra réplica. Falta uma base cujos dados mudaram durante a resposta.',
    schema: { type: 'string', pattern: `^${VERSAO}(, ${VERSAO})*$` },
    example: 'tst=12-9f3a04c1, stj=3-77e0d1aa',
  },
  'Jurisprudencia-Leitura': {
    description: `A busca como foi lida, em sintaxe FTS5, com as palavras como as bases as têm (sem acentos, em minúsculas); codificada como numa URL, no máximo ${LEITURA_LENGTH_MAX} caracteres: se não coube, acaba em reticências (\`%E2%80%A6\`). Só na primeira página.`,
    schema: { type: 'string', maxLength: LEITURA_LENGTH_MAX, pattern: `^${TERMO}$` },
    example: '%22dano%20moral%22%20AND%20(banco%20OR%20financeira)',
  },
  'Jurisprudencia-Avisos': {
    description: `O que na busca foi lido de outro modo do que parece. ${avisos()} Só na primeira página, e só se há algum.`,
    schema: { type: 'string', pattern: `^${AVISO}(, ${AVISO})*$` },
    example: 'HIFEN_NAO_EXCLUI, PARTE_SEM_PALAVRA',
  },
  'Jurisprudencia-Termos-Ausentes': {
    description: `As palavras da busca que nenhuma decisão das bases consultadas tem, seja qual for o filtro, separadas por vírgula: sem acentos, em minúsculas e codificadas como numa URL (um prefixo com seu \`*\`); no máximo ${AUSENTES_LENGTH_MAX} caracteres, e por último reticências (\`%E2%80%A6\`) se há mais. Só vem na primeira página, se ela não está cheia e se todas as bases responderam.`,
    schema: { type: 'string', maxLength: AUSENTES_LENGTH_MAX, pattern: `^${TERMO}(,${TERMO})*$` },
    example: 'consumeirista,%C3%9F*',
  },
  'Jurisprudencia-Termos-Proximos': {
    description: `Para palavras que nenhuma decisão das bases consultadas tem, e se nada foi achado também para números com pontos, \`nº\` e \`5º\`: até três que elas têm, cada uma com o número de decisões (ao menos; contadas até 1.000 em cada base). São o singular ou o plural, um número escrito de outro modo, ou uma palavra a uma letra de distância. \`ausente=próxima:decisões;próxima:decisões\`, com vírgulas entre as ausentes, cada palavra codificada como numa URL; no máximo ${PROXIMOS_LENGTH_MAX} caracteres: se não couberam todas, a última é \`${CUT}\`. Nunca são aplicadas. Só vem na primeira página, se houve tempo.`,
    schema: {
      type: 'string',
      maxLength: PROXIMOS_LENGTH_MAX,
      pattern: `^${PROXIMO}(,${PROXIMO})*(,${CUT})?$`,
    },
    example: 'consumeirista=consumerista:417,1500003=1.500.003:2',
  },
  'Content-Encoding': {
    description: '`gzip`, onde o cliente o aceita e vale a pena.',
    schema: { type: 'string', const: 'gzip' },
    example: 'gzip',
  },
  Vary: {
    description: 'Onde a resposta pode vir comprimida.',
    schema: { type: 'string', const: 'accept-encoding' },
    example: 'accept-encoding',
  },
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof HEADERS;

function avisos(): string {
  return Object.entries(AVISOS)
    .map(([codigo, frase]) => `\`${codigo}\`: ${frase}.`)
    .join(' ');
}

export function references(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The same headers, marked as always present. */
export function always(names: readonly HeaderName[]): Record<string, Header> {
  return Object.fromEntries(names.map((name) => [name, { ...HEADERS[name], required: true }]));
}

export function cacheControl(rota: Rota): Record<string, Header> {
  const value = CACHE_CONTROL[rota];
  return {
    'Cache-Control': {
      description: 'Por quanto tempo a resposta pode ser guardada.',
      required: true,
      schema: { type: 'string', const: value },
      example: value,
    },
  };
}
