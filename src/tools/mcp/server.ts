import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Static, TObject, TSchema } from 'typebox';
import { Jurisprudencia, JurisprudenciaError } from '../../client/client.ts';
import { hasAnswer } from '../../client/page.ts';
import { CoberturaSchema } from '../../contract/cobertura.ts';
import { withMend, type ServiceAccess } from '../access/service-access.ts';
import * as answers from './answers.ts';
import { INSTRUCTIONS, TOOLS } from './texts.ts';
import { Errors } from 'typebox/value';

/** The tools change nothing and read only from the service. */
const annotations = { readOnlyHint: true, openWorldHint: true };

/** The three tools. The client has the key; no answer contains it. */
export function createServer(access: ServiceAccess, version: string): McpServer {
  const api = new Jurisprudencia(access);
  const server = new McpServer({ name: 'jurisprudencia', version }, { instructions: INSTRUCTIONS });
  server.registerTool(
    TOOLS.buscar.name,
    {
      ...TOOLS.buscar,
      annotations,
      inputSchema: unchecked(answers.PedidoSchema),
      outputSchema: standard(answers.PaginaSchema),
    },
    (pedido, { mcpReq: { signal } }) =>
      answered(access, async () => {
        checked(answers.PedidoSchema, pedido);
        const asked = { ...pedido, limite: answers.itemsAsked(pedido.limite) };
        const page = await api.comSugestao(asked, await api.buscar(asked, { signal }), { signal });
        return { text: answers.pageText(page), structured: page, isError: !hasAnswer(page) };
      }),
  );
  server.registerTool(
    TOOLS.ler.name,
    {
      ...TOOLS.ler,
      annotations,
      inputSchema: unchecked(answers.LeituraSchema),
      outputSchema: standard(answers.RegistroSchema),
    },
    (leitura, { mcpReq: { signal } }) =>
      answered(access, async () => {
        checked(answers.LeituraSchema, leitura);
        const record = answers.recordOf(await api.decisao(leitura.id, { signal }));
        return { text: answers.recordText(record), structured: record };
      }),
  );
  server.registerTool(
    TOOLS.cobertura.name,
    { ...TOOLS.cobertura, annotations, outputSchema: standard(CoberturaSchema) },
    ({ mcpReq: { signal } }) =>
      answered(access, async () => {
        const coverage = await api.cobertura({ signal });
        return { text: answers.coverageText(coverage), structured: coverage };
      }),
  );
  return server;
}

/** The contract's schemas are plain JSON Schema with a static type. */
function standard<S extends TSchema>(schema: S) {
  return fromJsonSchema<Static<S>>(schema);
}

function checked(schema: TObject, values: unknown): void {
  const refusal = refusalOf(schema, values);
  if (refusal === null) return;
  throw new JurisprudenciaError(refusal, { status: null, codigo: 'PARAMETRO_INVALIDO' });
}

interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  /** True if nothing was searched. */
  readonly isError?: boolean;
}

/** Returns an error as the tool's answer, so that the assistant can react. */
async function answered(access: ServiceAccess, work: () => Promise<Answer>): Promise<CallToolResult> {
  try {
    const { text, structured, isError = false } = await work();
    // Most assistants pass the model either the texts or the structured answer, so both must be complete.
    const parts = [text, JSON.stringify(structured)];
    return {
      ...(isError ? { isError } : {}),
      content: parts.map((part) => ({ type: 'text', text: part })),
      structuredContent: { ...structured },
    };
  } catch (thrown) {
    const error = withMend(thrown, access);
    if (!(error instanceof JurisprudenciaError)) throw error;
    const wait =
      error.retryAfterMs === null ? '' : `; tente de novo em ${Math.ceil(error.retryAfterMs / 1000)} s`;
    const text = `${error.codigo ?? 'SEM_CODIGO'}: ${error.message}${wait}`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

/** JSON Schema's name for a type. */
const TYPES: Readonly<Record<string, string>> = { string: 'um texto', integer: 'um número inteiro' };

/** A tool's arguments as its clients see them. The SDK would refuse others in English; `refusalOf` does so in Portuguese. */
function unchecked<S extends TObject>(schema: S) {
  const { '~standard': given } = fromJsonSchema<Static<S>>(schema);
  // Each tool checks them before it uses them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { '~standard': { ...given, validate: (value: unknown) => ({ value: value as Static<S> }) } };
}

/** Why arguments do not match the schema and how to correct them, in Portuguese; null if they match. */
function refusalOf(schema: TObject, values: unknown): string | null {
  const error = Errors(schema, values).find(({ keyword }) => keyword !== 'boolean');
  if (error === undefined) return null;
  const { keyword, params } = error;
  if ('requiredProperties' in params) return `falta ${params.requiredProperties.join(', ')}`;
  if ('additionalProperties' in params) {
    return `não há ${params.additionalProperties.join(', ')}; use ${Object.keys(schema.properties).join(', ')}`;
  }
  const name = error.instancePath.slice(1);
  const { description = '' }: { readonly description?: string } = schema.properties[name] ?? {};
  return `${name}: ${mendOf(keyword, params) ?? `não serve. ${description}`}`;
}

function mendOf(keyword: string, params: object): string | null {
  if ('allowedValues' in params && Array.isArray(params.allowedValues))
    return `use ${params.allowedValues.join(', ')}`;
  if ('limit' in params)
    return `o ${keyword.startsWith('min') ? 'mínimo' : 'máximo'} é ${String(params.limit)}`;
  if ('type' in params) return `tem de ser ${TYPES[String(params.type)] ?? String(params.type)}`;
  if ('format' in params) return 'escreva a data como AAAA-MM-DD';
  return null;
}
