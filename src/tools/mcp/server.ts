import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Static, TSchema } from 'typebox';
import { JurisprudenciaError, type Jurisprudencia } from '../../client/client.ts';
import { CoberturaSchema } from '../../contract/cobertura.ts';
import * as answers from './answers.ts';
import { INSTRUCTIONS, TOOLS } from './texts.ts';

/** The tools change nothing and read only the service. */
const annotations = { readOnlyHint: true, openWorldHint: true };

/** The three tools. The client has the key; no answer contains it. */
export function createServer(api: Jurisprudencia, version: string): McpServer {
  const server = new McpServer({ name: 'jurisprudencia', version }, { instructions: INSTRUCTIONS });
  server.registerTool(
    TOOLS.buscar.name,
    {
      ...TOOLS.buscar,
      annotations,
      inputSchema: standard(answers.PedidoSchema),
      outputSchema: standard(answers.PaginaSchema),
    },
    (pedido, { mcpReq: { signal } }) =>
      answered(async () => {
        const page = await api.buscar({ ...pedido, limite: answers.itemsAsked(pedido.limite) }, { signal });
        return { text: answers.pageText(page), structured: page };
      }),
  );
  server.registerTool(
    TOOLS.ler.name,
    {
      ...TOOLS.ler,
      annotations,
      inputSchema: standard(answers.LeituraSchema),
      outputSchema: standard(answers.RegistroSchema),
    },
    ({ id }, { mcpReq: { signal } }) =>
      answered(async () => {
        const record = answers.recordOf(await api.decisao(id, { signal }));
        return { text: answers.recordText(record), structured: record };
      }),
  );
  server.registerTool(
    TOOLS.cobertura.name,
    { ...TOOLS.cobertura, annotations, outputSchema: standard(CoberturaSchema) },
    ({ mcpReq: { signal } }) =>
      answered(async () => {
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

interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** Returns an error as the tool's answer, so that the assistant can react. */
async function answered(work: () => Promise<Answer>): Promise<CallToolResult> {
  try {
    const { text, structured } = await work();
    return { content: [{ type: 'text', text }], structuredContent: { ...structured } };
  } catch (error) {
    if (!(error instanceof JurisprudenciaError)) throw error;
    const wait =
      error.retryAfterMs === null ? '' : `; tente de novo em ${Math.ceil(error.retryAfterMs / 1000)} s`;
    const text = `${error.codigo ?? 'SEM_CODIGO'}: ${error.message}${wait}`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}
