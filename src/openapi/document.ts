import { bug } from '../bug.ts';
import { ParametrosSchema } from '../contract/parametros.ts';
import { CAMINHOS, VERSAO_DO_CONTRATO, type Rota } from '../contract/rotas.ts';
import { ID_PATTERN } from '../contract/vocabulary.ts';
import { EXEMPLO_ID, EXEMPLOS_DE_PARAMETRO } from './examples.ts';
import { HEADERS } from './headers.ts';
import type { Answer, Header, Parameter, Schema } from './model.ts';
import { REQUEST_HEADERS, RESPONSES, responsesOf } from './responses.ts';
import { samplesOf } from './samples.ts';
import { collectSchemas } from './schemas.ts';
import { ETIQUETA, INTRODUCAO, ROTAS } from './texts.ts';

export const SERVER_DEFAULT = 'http://127.0.0.1:3000';

const ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'O `id` como veio em `itens[].id`; outro valor qualquer é 404.',
  schema: { type: 'string', pattern: ID_PATTERN },
  example: EXEMPLO_ID,
};

/** The public API as an OpenAPI 3.1 document, made from the service's own schemas. */
export function openApiDocument(server: string = SERVER_DEFAULT) {
  const paths: Readonly<Record<string, { readonly get: ReturnType<typeof operation> }>> = {
    [CAMINHOS.cobertura]: { get: operation('cobertura', server) },
    [CAMINHOS.busca]: { get: operation('busca', server, queryParameters()) },
    [CAMINHOS.decisao]: { get: operation('decisao', server, [ID]) },
  };
  const responses: Readonly<Record<string, Answer>> = RESPONSES;
  const headers: Readonly<Record<string, Header>> = HEADERS;
  const { value, schemas } = collectSchemas({ paths, responses });
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      // Generators name their package after the title, so it must be ASCII.
      title: 'Jurisprudencia',
      version: VERSAO_DO_CONTRATO,
      summary: 'Busca em decisões públicas dos tribunais e leitura do registro de uma decisão.',
      description: INTRODUCAO,
    },
    servers: [{ url: server }],
    tags: [ETIQUETA],
    paths: value.paths,
    components: {
      schemas,
      responses: value.responses,
      headers,
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

function operation(rota: Rota, server: string, own: readonly Parameter[] = []) {
  return {
    operationId: rota,
    tags: [ETIQUETA.name],
    ...ROTAS[rota],
    responses: responsesOf(rota),
    'x-code-samples': samplesOf(rota, server),
    security: rota === 'cobertura' ? [] : [{ chave: [] }],
    parameters: [...own, ...REQUEST_HEADERS],
  };
}

function queryParameters(): Parameter[] {
  const required: readonly string[] = ParametrosSchema.required;
  const examples = new Map(Object.entries(EXEMPLOS_DE_PARAMETRO));
  return Object.entries(ParametrosSchema.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: descriptionOf(schema),
    schema,
    example: examples.get(name) ?? bug(`no example of ${name}`),
  }));
}

/** The description with the accepted values, because the viewer does not show a referenced schema's values. */
function descriptionOf(schema: Schema): string {
  const text = 'description' in schema ? String(schema.description) : '';
  if (!('enum' in schema) || !Array.isArray(schema.enum)) return text;
  return `${text} Valores: ${schema.enum.map((word) => `\`${word}\``).join(', ')}.`;
}
