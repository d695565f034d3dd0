import type { BaseStatus } from '../../../engine/messages.ts';
import type { LiveSeries } from '../live-routes.ts';
import { showAlert, showDisk } from './alert.ts';
import { ApiError, get } from './api.ts';
import { basePanel } from './base-panel.ts';
import { legendOf, type Frame } from './chart.ts';
import { BASES } from './vocabulary.js';
import { loadCoverage } from './coverage.ts';
import { formatMoment, formatTime } from './format.ts';
import { byId, forgetOutOfReach, html, setText, show } from './html.ts';
import { loadKeys, startKeys } from './keys.ts';
import { METRICS } from './metrics.ts';
import { lastSecond, pointsSince, sharedRange, takePoints } from './points.ts';
import { followSearches, loadAbsentWords, startSearches } from './recent.ts';
import { showReplicas } from './replicas.ts';
import { startSearch } from './search.ts';
import { followSettings, startSettings } from './settings.ts';
import { page, serviceNow } from './state.ts';
import { showStrip } from './strip.ts';

/** By length in seconds. */
const PERIODS: ReadonlyMap<number, string> = new Map([
  [60, '1 min'],
  [300, '5 min'],
  [900, '15 min'],
]);
const REFRESH_MS = 30_000;
/** The busiest key must show soon. */
const KEYS_MS = 3_000;
const EVERY_MS = 1_000;
/** A service that does not answer for so long is gone. */
const LIMIT_MS = 6_000;

page.draw = draw;
startKeys();
startSearch();
startSearches();
startSettings();
byId('faixa-fechar').addEventListener('click', () => {
  byId('faixa').hidden = true;
});
draw();
void follow();
const whileLinked = (ms: number, work: () => Promise<unknown>) => {
  setInterval(() => {
    if (page.lostAt === null && !document.hidden) void attempt(work);
  }, ms);
};
whileLinked(REFRESH_MS, refresh);
whileLinked(KEYS_MS, loadKeys);

/** Asks for the service's figures every second, also while it does not answer. */
async function follow() {
  const asked = get('serie', `?desde=${lastSecond()}`, LIMIT_MS);
  await asked.then(take, lose).finally(() => setTimeout(() => void follow(), EVERY_MS));
}

function take(series: LiveSeries) {
  takePoints(series.serie);
  const before = page.series;
  page.series = series;
  const { instancia, ajustes_versao, buscas_versao } = series;
  if (page.lostAt !== null || instancia !== before?.instancia) connect(series, before);
  showAlert();
  showDisk(series.disco);
  showReplicas(series.replicas);
  showMadeUp(series.estados);
  draw();
  // After a restart the same version means others.
  void attempt(() => followSettings(`${instancia} ${ajustes_versao}`));
  void attempt(() => followSearches(`${instancia} ${buscas_versao}`));
}

function connect({ instancia, iniciado_em, versao, agora }: LiveSeries, before: LiveSeries | null) {
  page.ahead = agora - Date.now() / 1_000;
  page.lostAt = null;
  forgetOutOfReach();
  const since = formatTime(Date.parse(iniciado_em) / 1_000);
  if (before !== null && before.instancia !== instancia) {
    showBanner(
      `O serviço reiniciou às ${since}. Ajustes que não estavam gravados voltaram a ser os dos arquivos e das variáveis.`,
      true,
    );
  } else if (!byId('faixa').classList.contains('aviso')) byId('faixa').hidden = true;
  showLink('up', 'Ligado', `; versão ${versao}, no ar desde ${formatMoment(iniciado_em)}`);
  void attempt(refresh);
}

/** Nobody should mistake a demo for real decisions. */
function showMadeUp(states: LiveSeries['estados']) {
  const madeUp = BASES.filter((base) => states[base].made_up);
  byId('demonstracao').hidden = madeUp.length === 0;
  setText(
    byId('demonstracao'),
    `Demonstração: as decisões de ${madeUp.join(', ')} são fictícias. Antes de carregar as verdadeiras: bun run demo remove`,
  );
}

function lose(error: unknown) {
  page.lostAt ??= Date.now() / 1_000;
  const isRefused = error instanceof ApiError && !error.isOutOfReach;
  const what = isRefused ? error.message : `O serviço não responde desde ${formatTime(page.lostAt)}.`;
  showBanner(`${what} Esta página tenta de novo sozinha; os números são os últimos que chegaram.`, false);
  showLink('down', 'Sem contato com o serviço');
  showAlert();
  draw();
}

function showLink(state: BaseStatus['state'], text: string, details = '') {
  byId('ligacao').dataset.estado = state;
  show('ligacao', html`${text}<span class="desde">${details}</span>`);
}

/** A banner across the page. News can be closed. */
function showBanner(text: string, isNews: boolean) {
  const banner = byId('faixa');
  banner.classList.toggle('aviso', isNews);
  byId('faixa-fechar').hidden = !isNews;
  setText(byId('faixa-texto'), text);
  banner.hidden = false;
}

async function refresh() {
  await Promise.all([loadKeys(), loadCoverage(), loadAbsentWords()]);
}

/** Ignores failures: the banner already shows the lost connection, and the next attempt comes soon. */
async function attempt(work: () => Promise<unknown>) {
  await work().catch(() => undefined);
}

function draw() {
  showStrip();
  const { metric, seconds } = page;
  show('legenda', html`${legendOf(metric)}<span class="fraco">${metric.unit}</span>`);
  show(
    'grandeza',
    METRICS.map((one) => choice('grandeza', one.id, one.name, one === metric, { metric: one })),
  );
  show(
    'janela',
    [...PERIODS].map(([length, name]) =>
      choice('janela', length, name, length === seconds, { seconds: length }),
    ),
  );
  const frame = frameNow();
  show(
    'paineis',
    BASES.map((base) => basePanel(base, frame)),
  );
}

function frameNow(): Frame {
  const now = serviceNow();
  const from = now - page.seconds;
  const points = new Map(BASES.map((base) => [base, pointsSince(base, from)]));
  return {
    period: PERIODS.get(page.seconds) ?? '',
    range: [from, now],
    points,
    yRange: sharedRange([...points.values()].flat(), page.metric),
  };
}

/** A button of a group with one choice. @param chosen runs when it is chosen. */
function choice(
  group: string,
  value: string | number,
  name: string,
  isChosen: boolean,
  chosen: Partial<typeof page>,
) {
  const choose = () => {
    Object.assign(page, chosen);
    draw();
  };
  return html`
    <label>
      <input type="radio" name=${group} value=${value} checked=${isChosen} onchange=${choose} />
      <span>${name}</span>
    </label>`;
}
