import { ParametrosSchema } from '../contract/parametros.ts';
import { CAMINHOS, VERSAO_DO_CONTRATO } from '../contract/rotas.ts';
import { ID_PATTERN } from '../contract/vocabulary.ts';
import { EXEMPLO_ID, EXEMPLOS_DE_PARAMETRO } from './examples.ts';
import { HEADERS } from './headers.ts';
import type { Operation, OpenApiDocument, Parameter, Schema } from './model.ts';
import { REQUEST_HEADERS, RESPONSES, responsesOf } from './responses.ts';
import { collectSchemas } from './schemas.ts';
import { INTRODUCAO, ROTAS } from './texts.ts';

export const SERVER_DEFAULT = 'http://127.0.0.1:3000';

/** The public API as an OpenAPI 3.1 document, made from the schemas that the service itself validates with. */
export function openApiDocument(server: string = SERVER_DEFAULT): OpenApiDocument {
  const paths = {
    [CAMINHOS.cobertura]: { get: cobertura() },
    [CAMINHOS.busca]: { get: busca() },
    [CAMINHOS.decisao]: { get: decisao() },
  };
  const { value, schemas } = collectSchemas({ paths, responses: RESPONSES });
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      title: 'Busca de jurisprudência',
      version: VERSAO_DO_CONTRATO,
      summary: 'Busca em decisões públicas dos tribunais e leitura do registro de uma decisão.',
      description: INTRODUCAO,
    },
    servers: [{ url: server }],
    paths: value.paths,
    components: {
      schemas,
      responses: value.responses,
      headers: HEADERS,
      securitySchemes: {
        chave: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Chave emitida pelo operador, no cabeçalho `Authorization: Bearer <chave>`; nunca no endereço.',
        },
      },
    },
  };
}

function cobertura(): Operation {
  return {
    operationId: 'cobertura',
    ...ROTAS.cobertura,
    security: [],
    parameters: [REQUEST_HEADERS.ifNoneMatch, REQUEST_HEADERS.requestId],
    responses: responsesOf('cobertura'),
  };
}

function busca(): Operation {
  return {
    operationId: 'busca',
    ...ROTAS.busca,
    security: [{ chave: [] }],
    parameters: [...queryParameters(), REQUEST_HEADERS.requestId],
    responses: responsesOf('busca'),
  };
}

function decisao(): Operation {
  const id: Parameter = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'O `id` como veio em `itens[].id`; outro valor qualquer é 404.',
    schema: { type: 'string', pattern: ID_PATTERN },
    example: EXEMPLO_ID,
  };
  return {
    operationId: 'decisao',
    ...ROTAS.decisao,
    security: [{ chave: [] }],
    parameters: [id, REQUEST_HEADERS.ifNoneMatch, REQUEST_HEADERS.requestId],
    responses: responsesOf('decisao'),
  };
}

/** The search's parameters; a list is one parameter with commas. */
function queryParameters(): Parameter[] {
  const required: readonly string[] = ParametrosSchema.required;
  const examples = new Map(Object.entries(EXEMPLOS_DE_PARAMETRO));
  return Object.entries(ParametrosSchema.properties).map(([name, schema]) => {
    const list = 'items' in schema ? { style: 'form', explode: false } : {};
    const described = { name, in: 'query', description: descriptionOf(schema), schema } as const;
    return Object.assign(described, list, {
      required: required.includes(name),
      example: examples.get(name) ?? '',
    });
  });
}

function descriptionOf(schema: Schema): string {
  return 'description' in schema ? String(schema.description) : '';
}
