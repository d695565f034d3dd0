import type { FoundPage } from '../search-routes.ts';
import { get } from './api.ts';
import { CODIGOS_TRIBUNAL, RAMOS, TIPOS, UFS } from './vocabulary.js';
import { formatCount, formatDay, formatNumber, typeName } from './format.ts';
import { byId, html, sayFailure, show } from './html.ts';
import { table, type Column } from './table.ts';
import { waterfall } from './waterfall.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

/** Also what the form has at first. */
export const DEFAULTS: Parameters = { ordem: 'relevancia', limite: '20' };

/** A result, as far as needed to recognise a decision. */
const ITEMS: readonly Column<FoundPage['itens'][number]>[] = [
  ['decisão', '', ({ id }) => id],
  ['tipo', '', ({ tipo }) => typeName(tipo)],
  ['processo', 'texto', ({ classe, processo }) => caseText(classe.sigla ?? classe.descricao, processo)],
  ['órgão julgador', 'texto', ({ orgao_julgador }) => orgao_julgador],
  ['julgamento', '', ({ data_julgamento }) => data_julgamento && formatDay(data_julgamento)],
];

export function startSearch() {
  const form = byId('busca-form', HTMLFormElement);
  for (const [id, values] of Object.entries({ tribunais: CODIGOS_TRIBUNAL, ramos: RAMOS, ufs: UFS }))
    show(
      `busca-${id}`,
      values.map((value) => html`<option value=${value} />`),
    );
  show('busca-tipos', [
    html`<option value="">todos</option>`,
    TIPOS.map((tipo) => html`<option value=${tipo}>${typeName(tipo)}</option>`),
  ]);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search(form);
  });
}

/** Repeats an earlier search. */
export function repeat(parameters: Parameters) {
  const form = byId('busca-form', HTMLFormElement);
  form.reset();
  for (const [name, value = ''] of Object.entries(parameters)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  byId('busca').scrollIntoView({ block: 'start' });
  void search(form);
}

async function search(form: HTMLFormElement) {
  // An empty value would be refused.
  const given: Record<string, string> = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') given[name] = value;
  show('busca-resultado', html`<p class="resposta">Buscando…</p>`);
  try {
    const found = await get('busca', `?${new URLSearchParams(given).toString()}`);
    show('busca-resultado', resultOf(found, given));
  } catch (error) {
    const place = (element: HTMLElement | null) => element && sayFailure(element, error);
    show('busca-resultado', html`<p key="falha" class="resposta" ref=${place}></p>`);
  }
}

function resultOf(found: FoundPage, parameters: Parameters) {
  const { ms, itens, bases_sem_resposta, proximo_cursor } = found;
  const unanswered = bases_sem_resposta.map(
    ({ base, tempo_esgotado }) =>
      `${base} (${tempo_esgotado ? 'tempo esgotado' : 'falhou ou está sobrecarregada'})`,
  );
  const missing = unanswered.length === 0 ? '' : ` Sem resposta: ${unanswered.join(', ')}.`;
  const next = () => repeat({ ...parameters, cursor: proximo_cursor ?? '' });
  return html`
    <p class=${missing === '' ? 'resposta' : 'resposta erro'}>
      ${formatCount(itens.length, 'item', 'itens')} em ${formatNumber(ms)} ms.${missing}
    </p>
    ${waterfall(found, 'Cascata da busca')}
    ${itens.length > 0 && itemsOf(itens)}
    ${proximo_cursor !== null && html`<button type="button" onclick=${next}>Próxima página</button>`}`;
}

function itemsOf(itens: FoundPage['itens']) {
  return html`
    <details class="itens" open>
      <summary>${formatCount(itens.length, 'item desta página', 'itens desta página')}</summary>
      <div class="rolagem" tabindex="0" role="region" aria-label="Itens da página">
        <table class="empilha">${table(ITEMS, itens, { keyOf: ({ id }) => id })}</table>
      </div>
    </details>`;
}

/** Many courts begin the number with the class. */
function caseText(classe: string | null, processo: string | null) {
  if (processo === null) return classe ?? '';
  return classe === null || processo.startsWith(classe) ? processo : `${classe} ${processo}`;
}
