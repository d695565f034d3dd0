import { joined, markup, type Markup } from '../../html/markup.ts';
import type {
  Answer,
  ExampleText,
  Header,
  Media,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
} from '../model.ts';
import { inline, prose } from './prose.ts';
import { fieldTable, limits, shapeOf, typeText, type Row, type Schemas } from './schema-table.ts';

const PLACES = { query: 'na consulta', path: 'no caminho', header: 'no cabeçalho' } as const;

/** One route: what it takes and everything that it may answer. */
export function routeContent(document: OpenApiDocument, operation: Operation): Markup {
  const { description, security, parameters, responses } = operation;
  const { schemas } = document.components;
  return joined([
    prose(description),
    security.length === 0
      ? markup`<p>Não precisa de chave.</p>`
      : markup`<p>Precisa da chave: <code>Authorization: Bearer &lt;chave&gt;</code>.</p>`,
    markup`<h4>Parâmetros</h4>`,
    fieldTable(
      'Parâmetro',
      `Parâmetros de ${operation.operationId}`,
      parameters.map((parameter) => parameterRow(parameter, schemas)),
    ),
    markup`<h4>Respostas</h4>`,
    ...Object.entries(responses).map(([status, answer]) =>
      answerContent(document, status, answer, status === '200'),
    ),
  ]);
}

/** One answer, which the reader opens. */
export function answerContent(
  document: OpenApiDocument,
  label: string,
  given: Answer | Reference,
  isOpen = false,
): Markup {
  const answer = resolved(given, document.components.responses);
  const headers = Object.entries(answer.headers ?? {});
  const rows = headers.map(([name, header]) =>
    headerRow(name, resolved(header, document.components.headers), document.components.schemas),
  );
  return markup`<details class="resposta"${isOpen ? markup` open` : null}><summary><strong>${label}</strong> ${inline(answer.description)}</summary>
${Object.entries(answer.content ?? {}).map(([type, media]) => mediaContent(type, media))}
${rows.length === 0 ? null : fieldTable('Cabeçalho', `Cabeçalhos da resposta ${label}`, rows)}
</details>`;
}

function parameterRow(
  { name, in: place, required, description = '', schema, example }: Parameter,
  schemas: Schemas,
): Row {
  const shape = shapeOf(schema);
  return {
    name,
    note: `${PLACES[place]}, ${required ? 'obrigatório' : 'opcional'}`,
    type: typeText(shape),
    content: joined([prose(description), limits(shape, schemas), exampleText(example)]),
  };
}

function headerRow(name: string, { description, required, schema, example }: Header, schemas: Schemas): Row {
  const shape = shapeOf(schema);
  return {
    name,
    note: required === true ? 'sempre presente' : 'pode faltar',
    type: typeText(shape),
    content: joined([prose(description), limits(shape, schemas), exampleText(example)]),
  };
}

function exampleText(example: ExampleText | undefined): Markup | null {
  if (example === undefined) return null;
  return markup`<p class="fraco">Exemplo: <code>${typeof example === 'object' ? example.join(',') : example}</code></p>`;
}

function mediaContent(type: string, { schema, examples }: Media): Markup {
  return markup`<p>Corpo: <code>${type}</code>, ${typeText(shapeOf(schema))}</p>
${Object.values(examples).map(({ summary, value }) => exampleBlock(summary, value))}`;
}

function exampleBlock(summary: string, value: unknown): Markup {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  // A region that scrolls must be reached by keyboard.
  return markup`<figure><figcaption>Exemplo: ${inline(summary)}</figcaption><pre tabindex="0" role="region" aria-label="${`Exemplo: ${summary}`}"><code>${text}</code></pre></figure>`;
}

function resolved<T extends object>(value: T | Reference, known: Readonly<Record<string, T>>): T {
  if (!('$ref' in value)) return value;
  const found = known[value.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document has no ${value.$ref}`);
  return found;
}
