import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Static, TObject, TSchema } from 'typebox';
import { Jurisprudencia, JurisprudenciaError } from '../../client/client.ts';
import { hasAnswer } from '../../client/page.ts';
import { CoberturaSchema } from '../../contract/cobertura.ts';
import { withMend, type ServiceAccess } from '../access/service-access.ts';
import * as answers from './answers.ts';
import { refusalOf, unchecked } from './arguments.ts';
import { INSTRUCTIONS, TOOLS } from './texts.ts';

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
