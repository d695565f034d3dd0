import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownSteps } from '../knee.ts';
import type { Run } from '../result.ts';
import { joined, markup, Markup } from './markup.ts';
import { doubtsOf } from '../comparison.ts';
import { formatMoment } from './numbers.ts';
import { headline } from './headline.ts';
import { sectionsOf } from './sections.ts';
import type { Named } from './tables.ts';
import { differencesOf, doubtInPortuguese, warningInPortuguese } from './texts.ts';

/** Light and dark mode, and a narrow layout for phones. */
const STYLE = join(import.meta.dirname, 'style.css');
const TITLE = 'Teste de carga da busca de jurisprudência';

/**
 * The report of a run, or a comparison of two, the earlier first. A self-contained HTML document without
 * scripts or network access.
 */
export function reportPage(runs: readonly Run[]): string {
  const all = namedRuns(runs);
  const style = new Markup(readFileSync(STYLE, 'utf8'));
  const sections = sectionsOf(all);
  return markup`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${titleOf(runs)}</title>
<style>
${style}</style>
</head>
<body>
<a class="pular" href="#conteudo">Ir ao conteúdo</a>
<header>
<h1>${TITLE}</h1>
${all.map(({ label, run }) => markup`<p class="fraco">${all.length > 1 ? `${label}: ` : ''}${run.name === '' ? '' : `${run.name}, `}<time datetime="${run.started_at}">${formatMoment(run.started_at)}</time>, ${run.url}</p>`)}
<nav aria-label="Partes do relatório"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main id="conteudo" tabindex="-1">
${headline(all)}
${warnings(all)}
${joined(sections.map(({ id, title, content }) => markup`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${title}</h2>${content}</section>`))}
</main>
<footer><p>Latências contam desde o momento em que cada pedido devia sair, e não desde o envio: a espera que um serviço lento impõe aos pedidos seguintes também conta. Números entre o mínimo e o máximo são arredondados ao algarismo que a amostra sustenta (intervalo de 95%); ≈ diz que a amostra é pequena demais para limitar o valor por cima.</p></footer>
</body>
</html>
`.text;
}

/** The runs' labels. Two runs also show their order, because their names may be equal. */
function namedRuns(runs: readonly Run[]): Named[] {
  const order = ['antes', 'depois'];
  return shownSteps(runs).flatMap((step, at) => {
    const run = runs[at];
    if (run === undefined) return [];
    return [{ label: runs.length > 1 ? (order[at] ?? String(at + 1)) : 'esta execução', run, step }];
  });
}

function warnings(all: readonly Named[]): Markup | null {
  const [first, second] = all;
  const differences = first === undefined || second === undefined ? [] : differencesOf(first.run, second.run);
  const texts = all.flatMap(({ label, run }) =>
    run.warnings.map((warning) => `${all.length > 1 ? `${label}: ` : ''}${warningInPortuguese(warning)}`),
  );
  if (first !== undefined && second !== undefined)
    texts.push(...doubtsOf(first.run, second.run).map(doubtInPortuguese));
  if (differences.length > 0)
    texts.push(`As duas execuções não têm o mesmo plano; diferem em: ${differences.join(', ')}.`);
  if (texts.length === 0) return null;
  return markup`<section class="avisos larga" aria-labelledby="avisos-h"><h2 id="avisos-h">Antes de confiar nos números</h2><ul>${texts.map((text) => markup`<li>${withOptions(text)}</li>`)}</ul></section>`;
}

function titleOf(runs: readonly Run[]): string {
  const names = runs.map(({ name, started_at }) => (name === '' ? formatMoment(started_at) : name));
  return `${TITLE}: ${names.join(' e ')}`;
}

/** A text with option names that do not break at hyphens. */
function withOptions(text: string): Markup[] {
  return text
    .split(/(--[a-z-]+)/u)
    .map((part) => (part.startsWith('--') ? markup`<code>${part}</code>` : markup`${part}`));
}
