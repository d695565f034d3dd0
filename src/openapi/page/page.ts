import { joined, markup, Markup } from '../../html/markup.ts';
import type { OpenApiDocument } from '../model.ts';
import { prose } from './prose.ts';
import { answerContent, routeContent } from './route.ts';
import { schemaContent, shapeOf } from './schema-table.ts';
import { STYLE } from './style.ts';

interface Section {
  readonly id: string;
  readonly label: string;
  readonly title: Markup;
  readonly content: Markup;
}

/** No script, no network; the icon is empty. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** A page to read the document: HTML that needs nothing else, no script and no network. */
export function openApiPage(document: OpenApiDocument): string {
  const { info, servers } = document;
  const routes = routeSections(document);
  const schemas = schemaSections(document);
  const outside = document.components.responses['RotaNaoEncontrada'];
  return markup`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<link rel="icon" href="data:,">
<title>${info.title}: a API</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="pular" href="#conteudo">Ir ao conteúdo</a>
<header>
<h1>${info.title}</h1>
<p>${info.summary}</p>
<p class="fraco">OpenAPI ${document.openapi}, versão ${info.version} do contrato, em <code>${servers[0]?.url ?? ''}</code>. <a href="openapi.json">O documento em JSON</a></p>
</header>
<div class="corpo">
<nav aria-label="Partes da API"><h2>Rotas</h2>${links(routes)}<h2>Esquemas</h2>${links(schemas)}</nav>
<main id="conteudo" tabindex="-1">
<section aria-label="Apresentação">${prose(info.description)}${outside === undefined ? null : answerContent(document, 'Outro caminho', outside)}</section>
<h2>Rotas</h2>
${joined(routes.map(section))}
<h2>Esquemas</h2>
${joined(schemas.map(section))}
</main>
</div>
</body>
</html>
`.text;
}

function routeSections(document: OpenApiDocument): Section[] {
  return Object.entries(document.paths).map(([path, { get }]) => ({
    id: `rota-${get.operationId}`,
    label: get.summary,
    title: markup`<span class="metodo">GET</span> <code>${path}</code><span class="resumo">${get.summary}</span>`,
    content: routeContent(document, get),
  }));
}

function schemaSections({ components }: OpenApiDocument): Section[] {
  return Object.entries(components.schemas).map(([name, schema]) => ({
    id: `esquema-${name}`,
    label: name,
    title: markup`${name}`,
    content: schemaContent(name, shapeOf(schema), components.schemas),
  }));
}

function links(sections: readonly Section[]): Markup {
  return markup`<ul>${sections.map(({ id, label }) => markup`<li><a href="#${id}">${label}</a></li>`)}</ul>`;
}

function section({ id, title, content }: Section): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-h"><h3 id="${id}-h" class="titulo">${title}</h3>${content}</section>`;
}
