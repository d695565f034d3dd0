import { showAlert, showDisk } from './alert.js';
import { get } from './api.js';
import { basePanel } from './base-panel.js';
import { legendOf } from './chart.js';
import { BASES } from './contract.js';
import { loadCoverage } from './coverage.js';
import { startFields } from './fields.js';
import { formatMoment, formatTime } from './format.js';
import { byId, forgetOutOfReach, html, setText, show } from './html.js';
import { Keys } from './keys.js';
import { follow } from './live.js';
import { GRANDEZAS } from './metrics.js';
import { sharedRange, Store } from './points.js';
import { loadProcesses } from './processes.js';
import { RecentSearches } from './recent.js';
import { startSearch } from './search.js';
import { Settings } from './settings.js';
import { Strip } from './strip.js';
import { watchScrolling } from './table.js';
import { startTheme } from './theme.js';

/** @import { Base, BaseFile, Frame, LiveSecond, LiveSeries, Metric, Range, Recent, ServiceRecent } from './types.d.ts' */

/** @type {readonly (readonly [seconds: number, name: string])[]} */
const JANELAS = [
  [60, '1 min'],
  [300, '5 min'],
  [900, '15 min'],
];
/** @type {readonly (readonly [Metric, string])[]} */
const METRICS = GRANDEZAS.map((one) => [one, one.nome]);
const REFRESH_MS = 30_000;
/** Who asks most must be seen soon, and a disk that fills. */
const SOON_MS = 3_000;

const store = new Store();
const strip = new Strip();
const keys = new Keys((all) => strip.showKeys(all));
const searches = new RecentSearches();
const settings = new Settings(() => draw());
/** The service's figures as they last came; null before. @type {ServiceRecent | null} */
let service = null;
/** The states of the bases as they last came; null without contact. @type {LiveSecond['estados'] | null} */
let states = null;
/** @type {Map<Base, Recent>} */
const recents = new Map();
/** @type {Map<Base, BaseFile>} */
let files = new Map();
/** True where this is a front: the files of the bases are on nodes. */
let isFront = false;
let metric = GRANDEZAS[0];
let seconds = 300;
/** The base whose panel is enlarged. @type {Base | null} */
let enlarged = null;
/** The service's clock minus the browser's, seconds. */
let ahead = 0;
/** @type {string | null} */
let instance = null;
/** The states of the bases whose files were asked for last. */
let filesOf = '';
/** @type {number | null} */
let lostAt = null;
/** Why the service refused this page; null while it does not. @type {string | null} */
let refusal = null;

startFields();
startSearch();
watchScrolling();
byId('faixa-fechar').addEventListener('click', () => {
  byId('faixa').hidden = true;
});
startTheme(draw);
follow({ series: takeSeries, second: takeSecond, lost: lose, refused: refuse });
setInterval(() => {
  // While there is contact, each second's figures draw the page.
  if (lostAt === null) return;
  showLost();
  draw();
}, 1_000);
const whileLinked = (/** @type {number} */ ms, /** @type {() => Promise<unknown>} */ work) => {
  setInterval(() => {
    if (lostAt === null && !document.hidden) void attempt(work);
  }, ms);
};
whileLinked(REFRESH_MS, refresh);
whileLinked(SOON_MS, () => Promise.all([keys.load(), loadFiles()]));

/** @param {LiveSeries} series */
function takeSeries({ instancia, iniciado_em, versao, agora, servico, serie, estados }) {
  ahead = agora - Date.now() / 1_000;
  store.takeSeries(serie);
  const restarted = instance !== null && instance !== instancia;
  instance = instancia;
  lostAt = null;
  refusal = null;
  forgetOutOfReach();
  const since = formatTime(Date.parse(iniciado_em) / 1_000);
  if (restarted) {
    showBanner(
      `O serviço reiniciou às ${since}. Ajustes que não estavam gravados voltaram a ser os do arquivo e das variáveis.`,
      true,
    );
  } else if (!byId('faixa').classList.contains('aviso')) byId('faixa').hidden = true;
  showLink('no_ar', 'Ligado', `; versão ${versao}, no ar desde ${formatMoment(iniciado_em)}`);
  settings.forget();
  searches.forget();
  takeStates(servico, estados);
  void attempt(() => settings.load());
  void attempt(refresh);
}

/** @param {LiveSecond} second */
function takeSecond({ ajustes_versao, buscas_versao, servico, estados, instantes }) {
  if (instantes !== null) {
    for (const base of BASES) {
      store.take(base, instantes[base].ponto);
      recents.set(base, instantes[base].recente);
    }
  }
  takeStates(servico, estados);
  // A base that goes down or comes back has another file, or none.
  const now = BASES.map((base) => estados[base].estado).join();
  if (now !== filesOf) void attempt(loadFiles);
  filesOf = now;
  void attempt(() => settings.follow(ajustes_versao));
  void attempt(() => searches.follow(buscas_versao));
}

/** @param {ServiceRecent | null} servico @param {LiveSecond['estados']} estados */
function takeStates(servico, estados) {
  service = servico;
  states = estados;
  showAlert(estados, servico);
  // Nobody should take a demo for real decisions.
  const madeUp = BASES.filter((base) => estados[base].demonstracao);
  byId('demonstracao').hidden = madeUp.length === 0;
  setText(
    byId('demonstracao'),
    `Demonstração: as decisões de ${madeUp.join(', ')} são fictícias. Antes de carregar as verdadeiras: bun run demo remove`,
  );
  draw();
}

function lose() {
  lostAt ??= Date.now() / 1_000;
  states = null;
  showLost();
  showLink('fora', refusal === null ? 'Sem contato com o serviço' : 'Não ligado ao serviço');
  showAlert(null);
  draw();
}

/** A page that was never connected learns only here that there is no contact. @param {string | null} why */
function refuse(why) {
  refusal = why;
  lose();
}

/** @param {'no_ar' | 'fora'} state @param {string} text */
function showLink(state, text, details = '') {
  byId('ligacao').dataset.estado = state;
  show('ligacao', html`${text}<span class="desde">${details}</span>`);
}

function showLost() {
  const text =
    refusal === null
      ? `O serviço não responde desde ${formatTime(lostAt ?? 0)}. Esta página tenta de novo sozinha; os números são os últimos que chegaram.`
      : `${refusal} Esta página se liga sozinha quando houver lugar; até lá não recebe números.`;
  showBanner(text, false);
}

/** A line across the page. News can be closed. @param {string} text @param {boolean} isNews */
function showBanner(text, isNews) {
  const banner = byId('faixa');
  banner.classList.toggle('aviso', isNews);
  byId('faixa-fechar').hidden = !isNews;
  setText(byId('faixa-texto'), text);
  banner.hidden = false;
}

async function refresh() {
  await Promise.all([keys.load(), loadFiles(), loadCoverage(), loadProcesses()]);
}

async function loadFiles() {
  const { bases, disco, nos_nos } = await get('bases');
  isFront = nos_nos;
  showDisk(disco, isFront);
  files = new Map(bases.map((file) => [file.base, file]));
  draw();
  byId('nos').hidden = !isFront;
  byId('nos-atalho').hidden = !isFront;
  // Loaded for a front alone.
  if (isFront) await (await import('./nodes.js')).loadNodes();
}

/** The service's clock, in seconds. */
function serviceNow() {
  return Date.now() / 1_000 + ahead;
}

/** Ignores failures: the banner already shows that there is no contact. @param {() => Promise<unknown>} work */
async function attempt(work) {
  try {
    await work();
  } catch {
    // The next attempt comes soon.
  }
}

/** Shows everything as it is now. */
function draw() {
  const now = serviceNow();
  strip.show(service, now);
  show('legenda', html`${legendOf(metric)}<span class="fraco">${metric.unidade}</span>`);
  choices('grandeza', METRICS, metric, (one) => {
    metric = one;
  });
  choices('janela', JANELAS, seconds, (length) => {
    seconds = length;
  });
  show('paineis', panels(now));
}

/** @param {number} now */
function panels(now) {
  const from = now - seconds;
  const points = new Map(BASES.map((base) => [base, store.since(base, from)]));
  /** @type {Map<Metric, Range>} */
  const ranges = new Map();
  /** @type {Frame} */
  const frame = {
    period: JANELAS.find(([length]) => length === seconds)?.[1] ?? '',
    range: [from, now],
    yRangeOf: (of) => {
      const known = ranges.get(of) ?? sharedRange([...points.values()].flat(), of);
      ranges.set(of, known);
      return known;
    },
  };
  return BASES.map((base) =>
    basePanel({
      base,
      state: states?.[base] ?? null,
      recent: recents.get(base) ?? null,
      file: files.get(base) ?? null,
      settings: settings.report,
      isOnNodes: isFront,
      now,
      isLarge: enlarged === base,
      metrics: enlarged === base ? GRANDEZAS : [metric],
      frame,
      points: points.get(base) ?? [],
      marks: settings.marksOf(base),
      onResize: () => enlarge(base),
      onChanged: () => attempt(() => settings.load()),
      onPick: (em) => void attempt(() => searches.show(base, em ?? Math.floor(serviceNow()))),
    }),
  );
}

/** @param {Base} base enlarged, or reduced again. */
function enlarge(base) {
  enlarged = enlarged === base ? null : base;
  draw();
  byId(`painel-${base}`).scrollIntoView({ block: 'nearest' });
}

/**
 * One of several, as buttons of which one is chosen.
 * @template {number | Metric} T @param {string} id @param {readonly (readonly [T, string])[]} all @param {T} chosen
 * @param {(value: T) => void} onChoice
 */
function choices(id, all, chosen, onChoice) {
  const options = all.map(([value, name]) => {
    const choose = () => {
      onChoice(value);
      draw();
    };
    const known = typeof value === 'object' ? value.id : value;
    return html`
      <label>
        <input type="radio" name=${id} value=${known} checked=${value === chosen} onchange=${choose} />
        <span>${name}</span>
      </label>`;
  });
  show(id, options);
}
