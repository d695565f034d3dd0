import { showAlert, showDisk } from './alert.js';
import { get } from './api.js';
import { BasePanel } from './base-panel.js';
import { BASES } from './contract.js';
import { loadCoverage } from './coverage.js';
import { byId, forgetOutOfReach, h, setText } from './dom.js';
import { startFields } from './fields.js';
import { formatMoment, formatTime } from './format.js';
import { Keys } from './keys.js';
import { legendOf } from './legend.js';
import { follow } from './live.js';
import { GRANDEZAS } from './metrics.js';
import { loadProcesses } from './processes.js';
import { RecentSearches } from './recent.js';
import { startSearch } from './search.js';
import { Settings } from './settings.js';
import { sharedRange } from './scale.js';
import { Store } from './store.js';
import { Strip } from './strip.js';
import { watchScrolling } from './table.js';
import { onTheme, startTheme } from './theme.js';

const JANELAS = [
  [60, '1 min'],
  [300, '5 min'],
  [900, '15 min'],
];
const REFRESH_MS = 30_000;
/** Who asks most must be seen soon, and a disk that fills. */
const SOON_MS = 3_000;

const store = new Store();
const strip = new Strip();
const keys = new Keys((all) => strip.showKeys(all));
const searches = new RecentSearches();
/** The service's figures as they last came; null before. */
let service = null;
const recents = new Map();
/** A promise of the section of nodes; null where the process is no front. */
let nodes = null;
let metric = GRANDEZAS[0];
let seconds = 300;
/** The service's clock minus the browser's, seconds. */
let ahead = 0;
let instance = null;
/** The states of the bases as they last came. */
let lastStates = '';
let lostAt = null;
/** Why the service refused this page; null while it does not. */
let refusal = null;

const panels = new Map(
  BASES.map((base) => [
    base,
    new BasePanel(base, {
      onResize: enlarge,
      onChanged: () => void attempt(() => settings.load()),
      onPick: (em) => void attempt(() => searches.show(base, em ?? Math.floor(serviceNow()))),
    }),
  ]),
);
const settings = new Settings(panels);

startTheme();
byId('paineis').append(...[...panels.values()].map(({ element }) => element));
choices(
  'grandeza',
  GRANDEZAS.map(({ id, nome }) => [id, nome]),
  metric.id,
  (id) => {
    metric = GRANDEZAS.find((one) => one.id === id);
    for (const panel of panels.values()) panel.show(metric);
    drawLegend();
    draw();
  },
);
choices('janela', JANELAS, seconds, (value) => {
  seconds = Number(value);
  draw();
});
drawLegend();
onTheme(() => {
  drawLegend();
  for (const panel of panels.values()) panel.redraw();
});
startFields();
startSearch();
watchScrolling();
byId('faixa-fechar').addEventListener('click', () => {
  byId('faixa').hidden = true;
});
follow({ series: takeSeries, second: takeSecond, lost: lose, refused: refuse });
setInterval(() => {
  draw();
  if (lostAt !== null) showLost();
}, 1_000);
setInterval(() => {
  if (lostAt === null && !document.hidden) void attempt(refresh);
}, REFRESH_MS);
setInterval(() => {
  if (lostAt === null && !document.hidden) void attempt(() => Promise.all([keys.load(), loadFiles()]));
}, SOON_MS);
draw();

function takeSeries({ instancia, iniciado_em, versao, agora, servico, serie, estados }) {
  service = servico;
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
  const details = `; versão ${versao}, no ar desde ${formatMoment(iniciado_em)}`;
  byId('ligacao').replaceChildren('Ligado', h('span', { class: 'desde' }, details));
  byId('ligacao').dataset.estado = 'no_ar';
  for (const [base, panel] of panels) panel.showState(estados[base], recents.get(base));
  showMadeUp(estados);
  showAlert(estados, servico);
  settings.forget();
  searches.forget();
  void attempt(() => settings.load());
  void attempt(refresh);
  draw();
}

function takeSecond({ ajustes_versao, buscas_versao, servico, estados, instantes }) {
  service = servico;
  for (const [base, panel] of panels) {
    if (instantes !== null) {
      store.take(base, instantes[base].ponto);
      recents.set(base, instantes[base].recente);
    }
    panel.showState(estados[base], recents.get(base));
  }
  showMadeUp(estados);
  showAlert(estados, servico);
  followFiles(estados);
  void attempt(() => settings.follow(ajustes_versao));
  void attempt(() => searches.follow(buscas_versao));
  draw();
}

/** Nobody should take a demo for real decisions. */
function showMadeUp(estados) {
  const bases = BASES.filter((base) => estados[base].demonstracao === true);
  const notice = byId('demonstracao');
  notice.hidden = bases.length === 0;
  if (bases.length === 0) return;
  setText(
    notice,
    `Demonstração: as decisões de ${bases.join(', ')} são fictícias. Antes de carregar as verdadeiras: bun run demo remove`,
  );
}

function lose() {
  lostAt ??= Date.now() / 1_000;
  showLost();
  byId('ligacao').dataset.estado = 'fora';
  setText(byId('ligacao'), refusal === null ? 'Sem contato com o serviço' : 'Não ligado ao serviço');
  for (const panel of panels.values()) panel.showState(null);
  showAlert(null);
}

/** A page that was never connected learns only here that there is no contact. */
function refuse(why) {
  refusal = why;
  lose();
}

function showLost() {
  if (refusal !== null) {
    showBanner(
      `${refusal} Esta página se liga sozinha quando houver lugar; até lá não recebe números.`,
      false,
    );
    return;
  }
  showBanner(
    `O serviço não responde desde ${formatTime(lostAt)}. Esta página tenta de novo sozinha; os números são os últimos que chegaram.`,
    false,
  );
}

/** A line across the page. News can be closed. */
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

/** A base that goes down or comes back has another file, or none. */
function followFiles(estados) {
  const now = BASES.map((base) => estados[base].estado).join();
  if (now !== lastStates) void attempt(loadFiles);
  lastStates = now;
}

async function loadFiles() {
  const { bases, disco, nos_nos = false } = await get('bases');
  showDisk(disco, nos_nos);
  for (const file of bases) panels.get(file.base)?.showFile(file, serviceNow(), nos_nos);
  await loadNodes(nos_nos);
}

/** Loaded for a front alone. */
async function loadNodes(isFront) {
  if (isFront) {
    nodes ??= import('./nodes.js').then(({ Nodes }) => new Nodes());
    await (await nodes).load();
  } else if (nodes !== null) {
    (await nodes).remove();
    nodes = null;
  }
}

/** The service's clock, in seconds. */
function serviceNow() {
  return Date.now() / 1_000 + ahead;
}

/** Ignores failures: the banner already shows that there is no contact. */
async function attempt(work) {
  try {
    await work();
  } catch {
    // The next attempt comes soon.
  }
}

function draw() {
  const now = serviceNow();
  strip.show(service, now);
  const range = [now - seconds, now];
  const period = JANELAS.find(([length]) => length === seconds)[1];
  const shown = new Map(BASES.map((base) => [base, store.since(base, range[0])]));
  const all = [...shown.values()].flat();
  const ranges = new Map();
  const yRangeOf = (of) => {
    if (!ranges.has(of)) ranges.set(of, sharedRange(all, of));
    return ranges.get(of);
  };
  for (const [base, panel] of panels) {
    const points = shown.get(base);
    panel.showCounts(now);
    panel.draw(points, { range, yRangeOf, marks: settings.marksOf(base), period });
  }
}

function enlarge(panel, isLarge) {
  for (const other of panels.values()) other.enlarge(other === panel && isLarge);
  draw();
  panel.element.scrollIntoView({ block: 'nearest' });
}

function drawLegend() {
  byId('legenda').replaceChildren(legendOf(metric), h('span', { class: 'fraco' }, metric.unidade));
}

function choices(id, all, chosen, onChoice) {
  for (const [value, name] of all) {
    const input = h('input', {
      type: 'radio',
      name: id,
      value: String(value),
      checked: value === chosen,
      onchange: () => onChoice(value),
    });
    byId(id).append(h('label', {}, input, h('span', {}, name)));
  }
}
