import type { DescribedStep } from '../../../http/described-request.ts';
import type { FoundPage } from '../search-routes.ts';
import { formatNumber, formatWhole } from './format.ts';
import { html } from './html.ts';
import { headOf, type Column } from './table.ts';

type Search = Pick<FoundPage, 'ms' | 'por_base' | 'steps'>;

const STEPS = {
  relevancia: 'relevância',
  recentes: 'recentes',
  linhas: 'linhas da página',
  registro: 'registro',
  cobertura: 'cobertura',
  proximos: 'termos próximos',
};
const OUTCOMES: Readonly<Record<string, string>> = {
  pending: 'ainda rodava',
  abandoned: 'dispensado',
  deadline: 'tempo esgotado',
  overloaded: 'recusado: fila cheia',
  unavailable: 'base fora do ar',
};
/** Outcomes that cost the search nothing. */
const HARMLESS = new Set(['abandoned', 'pending']);
const PARTS = [
  ['fila', 'fila'],
  ['exec', 'execução'],
  ['contagem', 'contagem'],
  ['linhas', 'leitura de linhas'],
] as const;

/**
 * A legend, and a table of each base's work for a search, on a common time scale.
 * @param name for screen readers.
 */
export function waterfall({ ms, por_base, steps: all }: Search, name: string) {
  const longest = Math.max(ms, 0.1, ...all.map(endOf));
  const bases = new Set([...por_base, ...all].map(({ base }) => base));
  const columns: readonly Column<DescribedStep>[] = [
    ['passo', 'texto', (step) => [stepName(step, all), outcomeOf(step)]],
    ['', 'barra', (step) => bar(step, longest)],
    ['início', 'numero detalhe', ({ at_ms }) => formatNumber(at_ms)],
    ['fila', 'numero', ({ queue_ms }) => formatNumber(queue_ms)],
    ['execução', 'numero', ({ run_ms }) => formatNumber(run_ms)],
    ['contagem', 'numero detalhe', ({ count_ms }) => formatNumber(count_ms)],
    ['linhas', 'numero detalhe', ({ rows_ms }) => formatNumber(rows_ms)],
  ];
  const rows = [...bases].map((base) => {
    const of = por_base.find((one) => one.base === base);
    const steps = all.filter((step) => step.base === base);
    const heading = html`
      <th scope="rowgroup" class="base" rowspan=${Math.max(1, steps.length)}>
        ${base}<span class="fraco">${of && appliedText(of)}</span>
      </th>`;
    if (steps.length > 0)
      return steps.map((step, at) => {
        const cells = columns.map(([, className, show]) => html`<td class=${className}>${show(step)}</td>`);
        return html`<tr class=${at === 0 ? 'primeira' : ''}>${at === 0 && heading}${cells}</tr>`;
      });
    const why = 'não foi pedida: o serviço estava sobrecarregado';
    return html`<tr class="primeira">${heading}<td colspan="7" class="texto erro">${why}</td></tr>`;
  });
  return html`
    ${legend()}
    <div class="rolagem" tabindex="0" role="region" aria-label=${name}>
      <table class="cascata">
        <caption>Cada pedido a cada base, em ms desde a chegada da busca; barras até ${formatNumber(longest)} ms</caption>
        ${headOf([['base', '', () => ''], ...columns])}
        <tbody>${rows}</tbody>
      </table>
    </div>`;
}

function endOf({ at_ms, queue_ms, run_ms }: DescribedStep) {
  return at_ms + queue_ms + run_ms;
}

function appliedText({
  ordem_aplicada,
  encontrados_ate_1000: found,
  ha_mais_de_1000,
}: Search['por_base'][number]) {
  if (found === undefined) return STEPS[ordem_aplicada];
  const count = `${formatWhole(found)} ${found === 1 ? 'achada' : 'achadas'}`;
  return `${STEPS[ordem_aplicada]}, ${ha_mais_de_1000 ? 'mais de ' : ''}${count}`;
}

function stepName(step: DescribedStep, all: readonly DescribedStep[]) {
  const own = all.filter(({ base }) => base === step.base);
  const before = own[own.indexOf(step) - 1];
  const isFallBack = step.kind === 'recentes' && before?.kind === 'relevancia';
  return isFallBack ? 'recuo a recentes' : STEPS[step.kind];
}

function outcomeOf({ outcome }: DescribedStep) {
  if (outcome === 'ok') return null;
  const kind = HARMLESS.has(outcome) ? 'fraco' : 'erro';
  return html`<span class=${`desfecho ${kind}`}>${OUTCOMES[outcome] ?? outcome}</span>`;
}

/** Queue, then run; the run ends with counting and reading rows. */
function bar(one: DescribedStep, longest: number) {
  const { at_ms, queue_ms, run_ms, count_ms, rows_ms } = one;
  const lengths = {
    fila: queue_ms,
    exec: Math.max(0, run_ms - count_ms - rows_ms),
    contagem: Math.min(count_ms, run_ms),
    linhas: Math.min(rows_ms, run_ms),
  };
  const parts = PARTS.map(([part]) => piece(`parte-${part}`, lengths[part] / longest));
  const name = `de ${formatNumber(at_ms)} a ${formatNumber(endOf(one))} ms`;
  return html`<div class="barra" role="img" aria-label=${name}>${piece('', at_ms / longest)}${parts}</div>`;
}

function piece(className: string, share: number) {
  return share > 0 && html`<i class=${className} style=${{ width: `${share * 100}%` }} />`;
}

function legend() {
  const items = PARTS.map(([part, name]) => html`<li><i class=${`parte-${part}`} />${name}</li>`);
  return html`<ul class="legenda">${items}</ul>`;
}
