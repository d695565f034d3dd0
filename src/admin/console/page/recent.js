import { get } from './api.js';
import { byId, h, setText } from './dom.js';
import { formatNumber, formatTime, formatWhole, listed } from './format.js';
import { repeat } from './search.js';
import { cell, headOf } from './table.js';
import { waterfall } from './waterfall.js';

const RELOAD_MS = 2_000;
/** Rows that are shown before more are asked for. */
const ROWS_FIRST = 12;
const DEFAULTS = { ordem: 'relevancia', limite: '20' };
const COLUMNS = [
  ['quando'],
  ['tempo', 'numero'],
  ['o que houve'],
  ['texto e filtros'],
  ['base mais lenta'],
  [''],
];

/** The latest slow and incomplete searches, or those behind a point of a chart, each with its waterfall. */
export class RecentSearches {
  #version = null;
  #loadedAt = Number.NEGATIVE_INFINITY;
  /** The base and second that were asked for; null shows the latest. */
  #point = null;
  #isReading = false;

  constructor() {
    byId('lentas-todas').addEventListener('click', () => {
      this.#showLatest().catch((error) => setText(byId('lentas-nota'), error.message));
    });
  }

  /** Loads the list again where the service has newer ones; what somebody reads stays. @param version as it sends it. */
  async follow(version) {
    const now = performance.now();
    if (version === this.#version) return;
    if (this.#point !== null || this.#isReading) {
      byId('lentas-todas').hidden = false;
      return;
    }
    if (now - this.#loadedAt < RELOAD_MS) return;
    this.#loadedAt = now;
    this.#version = version;
    await this.#load('buscas');
  }

  /** After a restart of the service the same version may mean other searches. */
  forget() {
    this.#version = null;
  }

  /** Shows the searches that the figures of a base at a second are made of. */
  async show(base, em) {
    this.#point = { base, em };
    byId('lentas').scrollIntoView({ block: 'start' });
    // At once: a user who has moved on meanwhile keeps the focus.
    byId('lentas').focus({ preventScroll: true });
    await this.#load(`buscas?base=${base}&em=${em}`);
  }

  async #showLatest() {
    this.#point = null;
    await this.#load('buscas');
  }

  async #load(path) {
    const { lenta_ms, com_texto, buscas } = await get(path);
    const point = this.#point;
    byId('lentas-todas').hidden = point === null;
    setText(
      byId('lentas-nota'),
      point === null ? scopeText(lenta_ms, com_texto) : pointText(point, com_texto),
    );
    this.#isReading = false;
    const empty =
      point === null ? 'Nenhuma desde que o serviço iniciou.' : 'Nenhum pedido à base nestes segundos.';
    const none = h('tr', {}, h('td', { colSpan: COLUMNS.length, class: 'texto fraco' }, empty));
    const rows = buscas.flatMap((search) => this.#rows(search, point?.base ?? null));
    const body = h('tbody', {}, ...(rows.length === 0 ? [none] : rows.slice(0, 2 * ROWS_FIRST)));
    if (buscas.length > ROWS_FIRST) body.append(this.#moreRow(body, rows.slice(2 * ROWS_FIRST)));
    byId('lentas-tabela').replaceChildren(...(rows.length === 0 ? [] : [headOf(COLUMNS)]), body);
    // A click on a chart asks for one search: the slowest of them opens by itself.
    if (point !== null) body.querySelector('button[aria-expanded]')?.click();
  }

  #moreRow(body, rows) {
    const show = () => {
      row.remove();
      body.append(...rows);
      this.#isReading = true;
    };
    const button = h(
      'button',
      { type: 'button', class: 'discreto', onclick: show },
      `Mais ${rows.length / 2}`,
    );
    const row = h('tr', {}, h('td', { colSpan: COLUMNS.length }, button));
    return row;
  }

  #rows(search, base) {
    const slowest = base === null ? slowestOf(search.passos) : timeOf(search.passos, base);
    const details = h('tr', { class: 'detalhes', hidden: true });
    const at = formatTime(search.em);
    const button = h(
      'button',
      {
        type: 'button',
        class: 'discreto',
        'aria-expanded': 'false',
        'aria-label': `Ver a busca das ${at}`,
        onclick: () => this.#toggle(button, details, search),
      },
      'Ver',
    );
    const row = h(
      'tr',
      {},
      h('th', { scope: 'row' }, at),
      cell('ms', 'numero', formatNumber(search.ms)),
      cell('o que houve', 'texto', ...marksOf(search)),
      cell('texto e filtros', 'texto quebra', asked(search)),
      cell('base mais lenta', '', slowestText(search, slowest)),
      h('td', { class: 'acao' }, button),
    );
    return [row, details];
  }

  #toggle(button, details, search) {
    const isOpen = details.hidden;
    if (isOpen && details.childElementCount === 0) details.append(contentOf(search));
    details.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    const verb = isOpen ? 'Fechar' : 'Ver';
    setText(button, verb);
    button.setAttribute('aria-label', `${verb} a busca das ${formatTime(search.em)}`);
    this.#isReading = byId('lentas-tabela').querySelector('[aria-expanded=true]') !== null;
  }
}

function contentOf(search) {
  const { id, parametros } = search;
  const again =
    parametros.q === undefined
      ? null
      : h(
          'button',
          { type: 'button', class: 'discreto', onclick: () => repeat(parametros) },
          'Repetir por dentro',
        );
  return h(
    'td',
    { colSpan: COLUMNS.length, class: 'texto' },
    h('p', { class: 'botoes' }, h('span', { class: 'fraco' }, `X-Request-Id ${id}`), again),
    ...waterfall(search, `Cascata da busca ${id}`),
  );
}

function scopeText(lenta_ms, com_texto) {
  const text = com_texto ? ' O texto aparece só nas lentas.' : ' Sem o texto, pois SLOW_MS é 0.';
  return `De ${formatWhole(lenta_ms)} ms ou mais, ou a que faltou alguma base; até dez por segundo.${text}`;
}

function pointText({ base, em }, com_texto) {
  const text = com_texto ? 'O texto aparece só nas lentas.' : 'Sem o texto, pois SLOW_MS é 0.';
  return `As que mais tomaram de ${base} nos 10 s até ${formatTime(em)}. ${text}`;
}

/** Why it is listed, in the words of the base panels. */
function marksOf({ status, lenta, bases_sem_resposta, passos }) {
  const marks = [];
  if (status >= 500) marks.push(['falha', `respondida com ${status}`]);
  const why = ({ base, tempo_esgotado }) => {
    if (tempo_esgotado) return 'tempo esgotado';
    return isRefused(passos.filter((passo) => passo.base === base)) ? 'recusada' : 'falhou';
  };
  // One mark for all bases of one reason: a search that all of them refused is one line.
  for (const [reason, missing] of Map.groupBy(bases_sem_resposta, why))
    marks.push(['falha', `${listed(missing.map(({ base }) => base))}: ${reason}`]);
  if (lenta) marks.push(['aviso', 'lenta']);
  if (marks.length === 0) marks.push(['', 'completa']);
  return marks.map(([mark, text]) => h('span', { class: 'marca', 'data-marca': mark }, text));
}

/** Nothing was asked of the base, or its queue was full. */
function isRefused(steps) {
  return steps.length === 0 || steps.some(({ resultado }) => resultado === 'overloaded');
}

function asked({ rota, parametros }) {
  if (rota === 'decisao') return h('span', { class: 'fraco' }, 'leitura de um registro');
  const { q, cursor, ...others } = parametros;
  const filters = Object.entries(others)
    .filter(([name, value]) => value !== DEFAULTS[name])
    .map(([name, value]) => `${name}=${value}`);
  if (cursor !== undefined) filters.push('página seguinte');
  const text = q === undefined ? h('span', { class: 'fraco' }, 'texto não guardado') : q;
  return [text, filters.length === 0 ? null : h('span', { class: 'fraco' }, ` ${filters.join(' ')}`)];
}

function slowestText({ passos }, slowest) {
  if (slowest !== null) return `${slowest.base}, ${formatNumber(slowest.ms)} ms`;
  return passos.length === 0 ? '' : 'tudo do cache';
}

function timeOf(passos, base) {
  const own = passos.filter((passo) => passo.base === base && !passo.do_cache);
  return { base, ms: own.reduce((sum, { fila_ms, exec_ms }) => sum + fila_ms + exec_ms, 0) };
}

function slowestOf(passos) {
  const bases = [...new Set(passos.map(({ base }) => base))].map((base) => timeOf(passos, base));
  return bases.reduce((most, one) => (one.ms > (most?.ms ?? 0) ? one : most), null);
}
