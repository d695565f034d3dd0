import { get } from './api.js';
import { RAMOS, TIPOS, TRIBUNAIS, UFS } from './contract.js';
import { formatCount, formatDay, formatNumber, typeName } from './format.js';
import { byId, html, sayFailure, show } from './html.js';
import { table } from './table.js';
import { waterfall } from './waterfall.js';

/** @import { Column, FoundPage } from './types.d.ts' */

/** @typedef {Readonly<Record<string, string | undefined>>} Parameters of a search. */

/** @type {Parameters} */
const DEFAULTS = { ordem: 'relevancia', limite: '20' };
const FILTERS = new Set(['tribunal', 'uf', 'ramo', 'tipo', 'data_de', 'data_ate', 'cursor']);

/**
 * What was found, as far as it tells one decision from another.
 * @type {readonly Column<FoundPage['itens'][number]>[]}
 */
const ITEMS = [
  ['decisão', '', ({ id }) => id],
  ['tipo', '', ({ tipo }) => typeName(tipo)],
  ['processo', 'texto', ({ classe, processo }) => caseText(classe, processo)],
  ['órgão julgador', 'texto', ({ orgao_julgador }) => orgao_julgador],
  ['julgamento', '', ({ data_julgamento }) => data_julgamento && formatDay(data_julgamento)],
];

export function startSearch() {
  const form = byId('busca-form', HTMLFormElement);
  for (const [id, values] of /** @type {const} */ ([
    ['busca-tribunais', TRIBUNAIS],
    ['busca-ramos', RAMOS],
    ['busca-ufs', UFS],
  ]))
    show(
      id,
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
  byId('busca-filtros-limpar').addEventListener('click', () =>
    fill(form, { q: byId('busca-q', HTMLInputElement).value }),
  );
  form.addEventListener('input', () => showFilters(form));
}

/** Runs a search again with the parameters of another one. @param {Parameters} parameters */
export function repeat(parameters) {
  const form = byId('busca-form', HTMLFormElement);
  fill(form, parameters);
  byId('busca').scrollIntoView({ block: 'start' });
  void search(form);
}

/** @param {HTMLFormElement} form */
function fieldsOf(form) {
  return [...form.elements].filter(
    (one) => one instanceof HTMLInputElement || one instanceof HTMLSelectElement,
  );
}

/** @param {HTMLFormElement} form @param {Parameters} parameters */
function fill(form, parameters) {
  for (const field of fieldsOf(form)) field.value = parameters[field.name] ?? DEFAULTS[field.name] ?? '';
  showFilters(form);
}

/** A closed list of filters still says how many hold. @param {HTMLFormElement} form */
function showFilters(form) {
  const used = fieldsOf(form).filter(({ name, value }) => FILTERS.has(name) && value !== '');
  byId('busca-filtros-em-uso').textContent = used.map(({ name }) => name).join(', ') || 'nenhum';
}

/** @param {HTMLFormElement} form */
async function search(form) {
  // An empty value would be refused.
  const given = Object.fromEntries(
    fieldsOf(form).flatMap(({ name, value }) => (value === '' ? [] : [[name, value]])),
  );
  show('busca-resultado', html`<p class="resposta">Buscando…</p>`);
  try {
    const found = await get('busca', `?${new URLSearchParams(given).toString()}`);
    show('busca-resultado', result(found, given));
  } catch (error) {
    const place = (/** @type {HTMLElement | null} */ element) => element && sayFailure(element, error);
    show('busca-resultado', html`<p key="falha" class="resposta" ref=${place}></p>`);
  }
}

/** @param {FoundPage} found @param {Parameters} parameters */
function result(found, parameters) {
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
    ${
      itens.length > 0 &&
      html`
      <details class="itens" open>
        <summary>${formatCount(itens.length, 'item desta página', 'itens desta página')}</summary>
        <div class="rolagem" tabindex="0" role="region" aria-label="Itens da página">
          <table class="empilha">${table(ITEMS, itens, { keyOf: ({ id }) => id })}</table>
        </div>
      </details>`
    }
    ${proximo_cursor !== null && html`<button type="button" onclick=${next}>Próxima página</button>`}`;
}

/** Many courts begin the number with the class. @param {string | null} classe @param {string | null} processo */
function caseText(classe, processo) {
  if (processo === null) return classe ?? '';
  return classe === null || processo.startsWith(classe) ? processo : `${classe} ${processo}`;
}
