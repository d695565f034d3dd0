import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Static, TObject, TSchema } from 'typebox';
import {
  asQuestion,
  Jurisprudencia,
  JurisprudenciaError,
  type Pagina,
  type PedidoDeBusca,
} from '../../client/client.ts';
import { hasAnswer } from '../../client/page.ts';
import { isSentence } from '../../client/question.ts';
import { CoberturaSchema } from '../../contract/cobertura.ts';
import { withMend, type ServiceAccess } from '../access/service-access.ts';
import { PREFIXO } from '../../contract/rotas.ts';
import { Q_MAX } from '../../contract/vocabulary.ts';
import * as answers from './answers.ts';
import { readArguments, withoutDateFormat } from './arguments.ts';
import { INSTRUCTIONS, TOOLS } from './texts.ts';

/** The tools change nothing and read only from the service. */
const annotations = { readOnlyHint: true, openWorldHint: true };

/** The tools. The client has the key; no answer contains it. */
export function createServer(access: ServiceAccess, version: string): McpServer {
  const api = new Jurisprudencia(access);
  const server = new McpServer({ name: 'jurisprudencia', version }, { instructions: INSTRUCTIONS });
  const add: AddTool = (tool, input, output, work) =>
    server.registerTool(
      tool.name,
      { ...tool, annotations, inputSchema: unchecked(input), outputSchema: standard(output) },
      (given, { mcpReq: { signal } }) =>
        answered(access, () => work(readArguments(input, given ?? {}), signal)),
    );
  addQueries(add, api);
  addTextTools(add, api);
  addAliases(add, api, (id) => `${access.url.replace(/\/+$/u, '')}${PREFIXO}/${id}`);
  return server;
}

type AddTool = <Input extends TObject>(
  tool: (typeof TOOLS)[keyof typeof TOOLS],
  input: Input,
  output: TSchema,
  work: (args: Static<Input>, signal: AbortSignal) => Promise<Answer>,
) => void;

function addQueries(add: AddTool, api: Jurisprudencia): void {
  add(TOOLS.buscar, answers.PedidoSchema, answers.PaginaSchema, async (pedido, signal) => {
    const page = await pageOf(api, pedido, signal);
    return { structured: page, isError: !hasAnswer(page) };
  });
  add(TOOLS.ler, answers.LeituraSchema, answers.RegistroSchema, async ({ id }, signal) => {
    return { structured: answers.recordOf(await api.decisao(id, { signal })) };
  });
  add(TOOLS.cobertura, answers.NothingSchema, CoberturaSchema, async (_, signal) => ({
    structured: await api.cobertura({ signal }),
  }));
}

/** The tools that take a text: a question, a draft. */
function addTextTools(add: AddTool, api: Jurisprudencia): void {
  add(TOOLS.perguntar, answers.PerguntaSchema, answers.RespostaSchema, async (asked, signal) => {
    const { pergunta, ...pedido } = asked;
    const { q, avisos } = searchFor(pergunta);
    const page = await pageOf(api, { ...pedido, q }, signal);
    const structured = { enviada: q, ...page, avisos: [...avisos, ...page.avisos] };
    return { structured, isError: !hasAnswer(page) };
  });
  add(TOOLS.conferir, answers.MinutaSchema, answers.CitationsSchema, async ({ texto }, signal) => ({
    structured: await citationsOf(api, texto, signal),
  }));
}

/** `search` and `fetch`, in the shapes that hosted assistants ask for. */
function addAliases(add: AddTool, api: Jurisprudencia, urlOf: (id: string) => string): void {
  add(TOOLS.search, answers.SearchSchema, answers.ResultsSchema, async ({ query }, signal) => {
    const page = await pageForAny(api, query, signal);
    const results = page.itens.map((item) => ({
      id: item.id,
      title: answers.titleOf(item),
      url: urlOf(item.id),
    }));
    // The shape has no place for what is missing, and it must not be hidden.
    const avisos = page.avisos.length === 0 ? {} : { avisos: page.avisos };
    return { structured: { results, ...avisos }, isError: !hasAnswer(page) };
  });
  add(TOOLS.fetch, answers.LeituraSchema, answers.FetchedSchema, async ({ id }, signal) => {
    const record = answers.recordOf(await api.decisao(id, { signal }));
    const { ementa, tese, dispositivo, ...metadata } = record;
    const text = [ementa, tese, dispositivo].filter((part) => part !== null).join('\n\n');
    return { structured: { id, title: answers.titleOf(record), text, url: urlOf(id), metadata } };
  });
}

/** The verdicts of a text's first citations; those before a failure, if there are any. */
async function citationsOf(api: Jurisprudencia, texto: string, signal: AbortSignal) {
  const citations: ReturnType<typeof answers.citationOf>[] = [];
  const avisos: string[] = [];
  try {
    for await (const one of api.conferir(texto, { signal })) {
      if (citations.length === answers.CITATIONS_MAX) {
        avisos.push(`só as primeiras ${answers.CITATIONS_MAX} citações foram conferidas`);
        break;
      }
      citations.push(answers.citationOf(one));
    }
  } catch (error) {
    if (citations.length === 0 || !(error instanceof JurisprudenciaError)) throw error;
    avisos.push(`as citações depois destas não foram conferidas: ${error.message}`);
  }
  return { citacoes: citations, avisos };
}

/** Of a sentence that no decision has all words of, the page for the question, which it says first. */
async function pageForAny(api: Jurisprudencia, query: string, signal: AbortSignal): Promise<Pagina> {
  const isLong = [...query].length > Q_MAX;
  if (!isLong && !isSentence(query)) return pageOf(api, { q: query }, signal);
  const search = (q: string) => api.buscar({ q, limite: answers.itemsAsked(undefined) }, { signal });
  const page = isLong ? null : await search(query);
  if (page !== null && (page.itens.length > 0 || !page.completa)) return answers.pageWithWarning(page);
  const { q, avisos } = searchFor(query);
  const found = answers.pageWithWarning(await search(q));
  const why = isLong
    ? 'a frase é longa demais para uma busca'
    : 'nenhuma decisão tem todas as palavras da frase';
  const line = `${why}; a busca enviada foi ${q}`;
  return { ...found, avisos: [line, ...avisos, ...found.avisos] };
}

/** @throws JurisprudenciaError for a question with nothing to search for. */
function searchFor(question: string): { readonly q: string; readonly avisos: readonly string[] } {
  const { q, avisos } = asQuestion(question);
  if (q === null)
    throw new JurisprudenciaError(avisos.join('; '), { status: null, codigo: 'CONSULTA_INVALIDA' });
  return { q, avisos };
}

/** A page, with a suggestion and a warning where nothing was found. */
async function pageOf(api: Jurisprudencia, pedido: PedidoDeBusca, signal: AbortSignal): Promise<Pagina> {
  const asked = { ...pedido, limite: answers.itemsAsked(pedido.limite) };
  const page = await api.comSugestao(asked, await api.buscar(asked, { signal }), { signal });
  return answers.pageWithWarning(page);
}

/** The contract's schemas are plain JSON Schema with a static type. */
function standard<S extends TSchema>(schema: S) {
  return fromJsonSchema<Static<S>>(withoutDateFormat(schema));
}

interface Answer {
  readonly structured: Readonly<Record<string, unknown>>;
  /** True if nothing was searched. */
  readonly isError?: boolean;
}

/** Returns an error as the tool's answer, so that the assistant can react. */
async function answered(access: ServiceAccess, work: () => Promise<Answer>): Promise<CallToolResult> {
  try {
    const { structured, isError = false } = await work();
    return {
      ...(isError ? { isError } : {}),
      // Most assistants pass the model either the texts or the structured answer, so both are whole.
      content: [{ type: 'text', text: JSON.stringify(structured) }],
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

/** A tool's arguments as its clients see them. The SDK would refuse others in English; `readArguments` does so in Portuguese. */
function unchecked<S extends TObject>(schema: S) {
  const { '~standard': given } = fromJsonSchema<Static<S>>(withoutDateFormat(schema));
  // Each tool checks them before it uses them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { '~standard': { ...given, validate: (value: unknown) => ({ value: value as Static<S> }) } };
}
