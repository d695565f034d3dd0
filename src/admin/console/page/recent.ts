import type { Base } from '../../../contract/vocabulary.ts';
import type { DescribedRequest, DescribedStep } from '../../../http/described-request.ts';
import { get } from './api.ts';
import { formatNumber, formatTime, formatWhole, listed } from './format.ts';
import { button, byId, html, setText, show } from './html.ts';
import { DEFAULTS, repeat } from './search.ts';
import { serviceNow } from './state.ts';
import { mark, table, type Column } from './table.ts';
import { waterfall } from './waterfall.ts';

interface Point {
  readonly base: Base;
  readonly em: number;
}

const RELOAD_MS = 2_000;

const COLUMNS: readonly Column<DescribedRequest>[] = [
  ['quando', '', ({ em }) => formatTime(em)],
  ['tempo', 'numero tempo', ({ ms }) => formatNumber(ms)],
  ['o que houve', 'texto', marksOf],
  ['texto e filtros', 'texto quebra', asked],
  ['base mais lenta', '', slowestText],
  ['', 'acao', openButton],
];

/** `SLOW_MS`. */
let slowMs = 0;
/** In the service's order. */
let found: readonly DescribedRequest[] = [];
let version = '';
let loadedAt = Number.NEGATIVE_INFINITY;
/** The requested base and second; null shows the latest. */
let point: Point | null = null;
/** Searches with an open waterfall. */
let opened = new Set<DescribedRequest>();

export function startSearches() {
  byId('lentas-todas').addEventListener('click', () => {
    point = null;
    load().catch((error) => setText(byId('lentas-nota'), error.message));
  });
}

/** Reloads the latest searches if the service has newer ones; open waterfalls stay. */
export async function followSearches(latest: string) {
  const now = performance.now();
  if (latest === version) return;
  if (point !== null || opened.size > 0) {
    byId('lentas-todas').hidden = false;
    return;
  }
  if (now - loadedAt < RELOAD_MS) return;
  loadedAt = now;
  await load();
  version = latest;
}

/** Words that no decision has, in searches that found nothing. */
export async function loadAbsentWords() {
  const { palavras } = await get('ausentes');
  const words = palavras?.map(({ palavra, vezes }) => `${palavra} (${formatWhole(vezes)})`).join(', ');
  const none = 'nenhuma que três chaves, ou dez buscas, tenham pedido';
  setText(byId('ausentes'), words === undefined ? 'não se guardam, pois SLOW_MS é 0' : words || none);
}

/** Shows the searches behind a base's figures at a second. */
export function showSearchesOf(base: Base, em = Math.floor(serviceNow())) {
  point = { base, em };
  byId('lentas').scrollIntoView({ block: 'start' });
  // Before loading: a user who has moved on meanwhile keeps the focus.
  byId('lentas').focus({ preventScroll: true });
  load().catch(() => undefined);
}

async function load() {
  const asks = point;
  const loaded = await get('buscas', asks === null ? '' : `?base=${asks.base}&em=${asks.em}`);
  const [first] = loaded.buscas;
  found = loaded.buscas;
  slowMs = loaded.lenta_ms;
  // A click on a chart requests one search, so the slowest opens automatically.
  opened = new Set(asks === null || first === undefined ? [] : [first]);
  byId('lentas-todas').hidden = asks === null;
  setText(byId('lentas-nota'), scopeText(asks));
  draw();
}

function draw() {
  const rows = table(COLUMNS, found, {
    none:
      point === null
        ? 'Nenhuma desde que o serviço iniciou.'
        : 'Nenhuma lenta ou incompleta nestes segundos.',
    detailsOf: (search) => opened.has(search) && detailsOf(search),
  });
  show('lentas-tabela', rows);
}

function openButton(search: DescribedRequest) {
  const isOpen = opened.has(search);
  const verb = isOpen ? 'Fechar' : 'Ver';
  const toggle = () => {
    if (!opened.delete(search)) opened.add(search);
    draw();
  };
  const label = `${verb} a busca das ${formatTime(search.em)}`;
  return button(verb, toggle, { 'aria-expanded': String(isOpen), 'aria-label': label });
}

function detailsOf(search: DescribedRequest) {
  const { request_id: id, parametros } = search;
  const again = parametros.q !== undefined && button('Repetir por dentro', () => repeat(parametros));
  return html`
    <p class="botoes"><span class="fraco">X-Request-Id ${id}</span>${again}</p>
    ${waterfall(search, `Cascata da busca ${id}`)}`;
}

function scopeText(asks: Point | null) {
  const slow = slowMs > 0 ? `De ${formatWhole(slowMs)} ms ou mais, ou a que` : 'A que';
  const which = `${slow} faltou alguma base; até dez de cada por segundo.`;
  const text = slowMs > 0 ? 'O texto aparece só nas lentas.' : 'Sem lentas e sem texto, pois SLOW_MS é 0.';
  const scope = asks === null ? '' : `As que pediram a ${asks.base} nos 10 s até ${formatTime(asks.em)}. `;
  return `${scope}${which} ${text}`;
}

/** Why it is listed, worded as in the base panels. */
function marksOf({ status = 0, ms, bases_sem_resposta, steps }: DescribedRequest) {
  const why = ({ base, tempo_esgotado }: DescribedRequest['bases_sem_resposta'][number]) => {
    if (tempo_esgotado) return 'tempo esgotado';
    return isRefused(steps.filter((step) => step.base === base)) ? 'recusada' : 'falhou';
  };
  // Bases with the same reason share a mark: a search that all refused takes one line.
  const missing = [...Map.groupBy(bases_sem_resposta, why)].map(([reason, bases]) =>
    mark('falha', `${listed(bases.map(({ base }) => base))}: ${reason}`),
  );
  return [
    status >= 500 && mark('falha', `respondida com ${status}`),
    missing,
    slowMs > 0 && ms >= slowMs && mark('aviso', 'lenta'),
  ];
}

/** The base was not asked, or its queue was full. */
function isRefused(steps: readonly DescribedStep[]) {
  return steps.length === 0 || steps.some(({ outcome }) => outcome === 'overloaded');
}

function asked({ route, parametros }: DescribedRequest) {
  if (route === 'decisao') return html`<span class="fraco">leitura de um registro</span>`;
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

/** For the requested base, or the slowest. */
function slowestText({ steps }: DescribedRequest) {
  const base = point?.base;
  const bases = base === undefined ? [...new Set(steps.map((step) => step.base))] : [base];
  const times = bases.map((one) => {
    const own = steps.filter((step) => step.base === one);
    return { base: one, ms: own.reduce((sum, { queue_ms, run_ms }) => sum + queue_ms + run_ms, 0) };
  });
  const [slowest] = times.filter(({ ms }) => base !== undefined || ms > 0).toSorted((a, b) => b.ms - a.ms);
  if (slowest !== undefined) return `${slowest.base}, ${formatNumber(slowest.ms)} ms`;
  return steps.length === 0 ? '' : 'tudo do cache';
}
