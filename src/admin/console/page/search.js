import { get } from './api.js';
import { RAMOS, TIPOS, TRIBUNAIS, UFS } from './contract.js';
import { byId, h, sayFailure } from './dom.js';
import { formatCount, formatDay, formatNumber } from './format.js';
import { typeName } from './names.js';
import { headOf } from './table.js';
import { waterfall } from './waterfall.js';

const FILTERS = ['tribunal', 'uf', 'ramo', 'tipo', 'data_de', 'data_ate', 'cursor'];

export function startSearch() {
  const form = byId('busca-form');
  choices('busca-tribunais', TRIBUNAIS);
  choices('busca-ramos', RAMOS);
  choices('busca-ufs', UFS);
  form.elements.tipo.append(...TIPOS.map((tipo) => h('option', { value: tipo }, typeName(tipo))));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search(form);
  });
  byId('busca-filtros-limpar').addEventListener('click', () => fill(form, { q: form.elements.q.value }));
  form.addEventListener('input', () => showFilters(form));
}

/** Runs a search again with the parameters of another one. */
export function repeat(parameters) {
  const form = byId('busca-form');
  fill(form, parameters);
  byId('busca').scrollIntoView({ block: 'start' });
  void search(form);
}

function choices(id, values) {
  byId(id).append(...values.map((value) => h('option', { value })));
}

function fill(form, parameters) {
  const { q, ordem, limite } = form.elements;
  q.value = parameters.q ?? '';
  ordem.value = parameters.ordem ?? 'relevancia';
  limite.value = parameters.limite ?? '20';
  for (const name of FILTERS) form.elements[name].value = parameters[name] ?? '';
  showFilters(form);
}

/** A closed list of filters still says how many hold. */
function showFilters(form) {
  const used = FILTERS.filter((name) => form.elements[name].value !== '');
  byId('busca-filtros-em-uso').textContent = used.length === 0 ? 'nenhum' : used.join(', ');
}

async function search(form) {
  const place = byId('busca-resultado');
  // An empty value would be refused.
  const given = [...new FormData(form)].filter(([, value]) => value !== '');
  place.replaceChildren(h('p', { class: 'resposta' }, 'Buscando…'));
  try {
    const found = await get(`busca?${new URLSearchParams(given).toString()}`);
    place.replaceChildren(...result(found, Object.fromEntries(given)));
  } catch (error) {
    const answer = h('p', { class: 'resposta' });
    sayFailure(answer, error);
    place.replaceChildren(answer);
  }
}

function result(found, parameters) {
  const { ms, itens, bases_sem_resposta, proximo_cursor } = found;
  const unanswered = bases_sem_resposta.map(
    ({ base, tempo_esgotado }) =>
      `${base} (${tempo_esgotado ? 'tempo esgotado' : 'falhou ou está sobrecarregada'})`,
  );
  const summary = `${formatCount(itens.length, 'item', 'itens')} em ${formatNumber(ms)} ms.${unanswered.length > 0 ? ` Sem resposta: ${unanswered.join(', ')}.` : ''}`;
  return [
    h('p', { class: unanswered.length > 0 ? 'resposta erro' : 'resposta' }, summary),
    ...waterfall(found, 'Cascata da busca'),
    itens.length === 0 ? null : items(itens),
    proximo_cursor === null
      ? null
      : h(
          'button',
          { type: 'button', onclick: () => repeat({ ...parameters, cursor: proximo_cursor }) },
          'Próxima página',
        ),
  ].filter((part) => part !== null);
}

/** Many courts begin the number with the class. */
function caseText(classe, processo) {
  if (processo === null) return classe ?? '';
  return classe === null || processo.startsWith(classe) ? processo : `${classe} ${processo}`;
}

/** What was found, as far as it tells one decision from another. */
function items(itens) {
  const rows = itens.map(({ id, tipo, processo, classe, orgao_julgador, data_julgamento }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, id),
      h('td', {}, typeName(tipo)),
      h('td', { class: 'texto' }, caseText(classe, processo)),
      h('td', { class: 'texto' }, orgao_julgador ?? ''),
      h('td', {}, data_julgamento === null ? '' : formatDay(data_julgamento)),
    ),
  );
  const table = h(
    'table',
    { class: 'empilha' },
    headOf([['decisão'], ['tipo'], ['processo'], ['órgão julgador'], ['julgamento']]),
    h('tbody', {}, ...rows),
  );
  return h(
    'details',
    { class: 'itens', open: true },
    h('summary', {}, formatCount(itens.length, 'item desta página', 'itens desta página')),
    h('div', { class: 'rolagem', tabIndex: 0, role: 'region', 'aria-label': 'Itens da página' }, table),
  );
}
