import { get } from './api.js';
import { formatNumber, formatTime, formatWhole, listed } from './format.js';
import { byId, html, setText, show } from './html.js';
import { repeat } from './search.js';
import { headOf, mark, rowOf } from './table.js';
import { waterfall } from './waterfall.js';

/** @import { Answers, Base, Column, Passo, SearchRecord } from './types.d.ts' */

const RELOAD_MS = 2_000;
/** Rows that are shown before more are asked for. */
const ROWS_FIRST = 12;
/** @type {Readonly<Record<string, string>>} */
const DEFAULTS = { ordem: 'relevancia', limite: '20' };

/** The latest slow and incomplete searches, or those behind a point of a chart, each with its waterfall. */
export class RecentSearches {
  /** As the service sent them; null before. @type {Answers['buscas'] | null} */
  #loaded = null;
  /** @type {number | null} */
  #version = null;
  #loadedAt = Number.NEGATIVE_INFINITY;
  /** The base and second that were asked for; null shows the latest. @type {{ base: Base, em: number } | null} */
  #point = null;
  /** Searches whose waterfall somebody reads. @type {Set<SearchRecord>} */
  #open = new Set();
  #showsAll = false;
  /** @type {readonly Column<SearchRecord>[]} */
  #columns = [
    ['quando', '', ({ em }) => formatTime(em)],
    ['tempo', 'numero tempo', ({ ms }) => formatNumber(ms)],
    ['o que houve', 'texto', marksOf],
    ['texto e filtros', 'texto quebra', asked],
    ['base mais lenta', '', (search) => slowestText(search, this.#point?.base ?? null)],
    ['', 'acao', (search) => this.#button(search)],
  ];

  constructor() {
    byId('lentas-todas').addEventListener('click', () => {
      this.#point = null;
      this.#load().catch((error) => setText(byId('lentas-nota'), error.message));
    });
  }

  /**
   * Loads the list again where the service has newer ones; what somebody reads stays.
   * @param {number} version as the service sends it.
   */
  async follow(version) {
    const now = performance.now();
    if (version === this.#version) return;
    if (this.#point !== null || this.#showsAll || this.#open.size > 0) {
      byId('lentas-todas').hidden = false;
      return;
    }
    if (now - this.#loadedAt < RELOAD_MS) return;
    this.#loadedAt = now;
    this.#version = version;
    await this.#load();
  }

  /** After a restart of the service the same version may mean other searches. */
  forget() {
    this.#version = null;
  }

  /** Shows the searches that the figures of a base at a second are made of. @param {Base} base @param {number} em */
  async show(base, em) {
    this.#point = { base, em };
    byId('lentas').scrollIntoView({ block: 'start' });
    // At once: a user who has moved on meanwhile keeps the focus.
    byId('lentas').focus({ preventScroll: true });
    await this.#load();
  }

  async #load() {
    const point = this.#point;
    const loaded = await get('buscas', point === null ? '' : `?base=${point.base}&em=${point.em}`);
    const [first] = loaded.buscas;
    this.#loaded = loaded;
    this.#showsAll = false;
    // A click on a chart asks for one search: the slowest of them opens by itself.
    this.#open = new Set(point === null || first === undefined ? [] : [first]);
    byId('lentas-todas').hidden = point === null;
    setText(byId('lentas-nota'), scopeText(point, loaded));
    this.#draw();
  }

  #draw() {
    const buscas = this.#loaded?.buscas ?? [];
    const shown = this.#showsAll ? buscas : buscas.slice(0, ROWS_FIRST);
    const more = buscas.length - shown.length;
    const span = this.#columns.length;
    const none =
      this.#point === null ? 'Nenhuma desde que o serviço iniciou.' : 'Nenhum pedido à base nestes segundos.';
    const rows = shown.map((search) => [
      rowOf(this.#columns, search),
      this.#open.has(search) &&
        html`<tr class="detalhes"><td colspan=${span} class="texto">${detailsOf(search)}</td></tr>`,
    ]);
    const showAll = () => {
      this.#showsAll = true;
      this.#draw();
    };
    show(
      'lentas-tabela',
      html`
        ${buscas.length > 0 && headOf(this.#columns)}
        <tbody>
          ${buscas.length === 0 && html`<tr><td colspan=${span} class="texto fraco">${none}</td></tr>`}
          ${rows}
          ${more > 0 && html`<tr><td colspan=${span}><button type="button" class="discreto" onclick=${showAll}>Mais ${more}</button></td></tr>`}
        </tbody>`,
    );
  }

  /** @param {SearchRecord} search */
  #button(search) {
    const isOpen = this.#open.has(search);
    const verb = isOpen ? 'Fechar' : 'Ver';
    const toggle = () => {
      if (!this.#open.delete(search)) this.#open.add(search);
      this.#draw();
    };
    return html`
      <button type="button" class="discreto" aria-expanded=${String(isOpen)}
        aria-label=${`${verb} a busca das ${formatTime(search.em)}`} onclick=${toggle}>${verb}</button>`;
  }
}

/** @param {SearchRecord} search */
function detailsOf(search) {
  const { id, parametros } = search;
  const again = html`
    <button type="button" class="discreto" onclick=${() => repeat(parametros)}>Repetir por dentro</button>`;
  return html`
    <p class="botoes"><span class="fraco">X-Request-Id ${id}</span>${parametros.q !== undefined && again}</p>
    ${waterfall(search, `Cascata da busca ${id}`)}`;
}

/** @param {{ base: Base, em: number } | null} point @param {Answers['buscas']} loaded */
function scopeText(point, { lenta_ms, com_texto }) {
  const text = com_texto ? 'O texto aparece só nas lentas.' : 'Sem o texto, pois SLOW_MS é 0.';
  const scope =
    point === null
      ? `De ${formatWhole(lenta_ms)} ms ou mais, ou a que faltou alguma base; até dez por segundo.`
      : `As que mais tomaram de ${point.base} nos 10 s até ${formatTime(point.em)}.`;
  return `${scope} ${text}`;
}

/** Why it is listed, in the words of the base panels. @param {SearchRecord} search */
function marksOf({ status, lenta, bases_sem_resposta, passos }) {
  /** @param {SearchRecord['bases_sem_resposta'][number]} missing */
  const why = ({ base, tempo_esgotado }) => {
    if (tempo_esgotado) return 'tempo esgotado';
    return isRefused(passos.filter((passo) => passo.base === base)) ? 'recusada' : 'falhou';
  };
  // One mark for all bases of one reason: a search that all of them refused is one line.
  const missing = [...Map.groupBy(bases_sem_resposta, why)].map(([reason, bases]) =>
    mark('falha', `${listed(bases.map(({ base }) => base))}: ${reason}`),
  );
  const isComplete = status < 500 && missing.length === 0 && !lenta;
  return [
    status >= 500 && mark('falha', `respondida com ${status}`),
    missing,
    lenta && mark('aviso', 'lenta'),
    isComplete && mark('', 'completa'),
  ];
}

/** Nothing was asked of the base, or its queue was full. @param {readonly Passo[]} steps */
function isRefused(steps) {
  return steps.length === 0 || steps.some(({ resultado }) => resultado === 'overloaded');
}

/** @param {SearchRecord} search */
function asked({ rota, parametros }) {
  if (rota === 'decisao') return html`<span class="fraco">leitura de um registro</span>`;
  const { q, cursor, ...others } = parametros;
  const filters = Object.entries(others)
    .filter(([name, value]) => value !== DEFAULTS[name])
    .map(([name, value]) => `${name}=${value}`);
  if (cursor !== undefined) filters.push('página seguinte');
  return [
    q ?? html`<span class="fraco">texto não guardado</span>`,
    filters.length > 0 && html`<span class="fraco">${` ${filters.join(' ')}`}</span>`,
  ];
}

/** @param {SearchRecord} search @param {Base | null} base the one that was asked for; null for the slowest. */
function slowestText({ passos }, base) {
  const bases = base === null ? [...new Set(passos.map((passo) => passo.base))] : [base];
  const times = bases.map((one) => {
    const own = passos.filter((passo) => passo.base === one && !passo.do_cache);
    return { base: one, ms: own.reduce((sum, { fila_ms, exec_ms }) => sum + fila_ms + exec_ms, 0) };
  });
  const [slowest] = times.filter(({ ms }) => base !== null || ms > 0).toSorted((a, b) => b.ms - a.ms);
  if (slowest !== undefined) return `${slowest.base}, ${formatNumber(slowest.ms)} ms`;
  return passos.length === 0 ? '' : 'tudo do cache';
}
