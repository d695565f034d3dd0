import { Chart } from './chart.js';
import { h, setText } from './dom.js';
import {
  formatBytes,
  formatCount,
  formatElapsed,
  formatNumber,
  formatPercent,
  formatTime,
  formatWhole,
} from './format.js';
import { legendOf } from './legend.js';
import { GRANDEZAS } from './metrics.js';
import { DE_BASE, SettingsForm } from './settings-form.js';

/** Fewer requests have no p99: it would be the slowest one. */
const P99_REQUESTS_LEAST = 100;
const STATES = { no_ar: 'no ar', fora: 'fora do ar', sem_resposta_ainda: 'ainda sem resposta' };
const COUNTS = [
  ['relevancia', 'por relevância'],
  ['recentes', 'por recentes'],
  ['recuos', 'recuos'],
  ['tempo_esgotado', 'tempo esgotado'],
  ['recusados', 'recusados'],
  ['falhas', 'falhas'],
];
/** Counts of which any at all is worth a look; an older event only says its age. */
const WARNS = new Set(['tempo_esgotado', 'recusados', 'falhas', 'recuos']);

/** One base: its state and figures, a chart, and its settings. */
export class BasePanel {
  element;
  settings;
  #base;
  #charts = [];
  #metric = GRANDEZAS[0];
  #isLarge = false;
  #parts = {};
  #plots;
  #open;
  #onPick;
  #recent;
  #period = { points: [], name: '' };

  /**
   * @param onResize called when the panel is enlarged or reduced. @param onChanged called when a setting has changed.
   * @param onPick called with a second of which the searches are wanted; null is now.
   */
  constructor(base, { onResize, onChanged, onPick }) {
    this.#base = base;
    this.#onPick = onPick;
    this.settings = new SettingsForm(base, DE_BASE, onChanged);
    this.#plots = h('div', { class: 'graficos' });
    this.#open = h(
      'button',
      {
        type: 'button',
        class: 'discreto',
        'aria-expanded': 'false',
        'aria-label': `Ampliar ${base}`,
        onclick: () => onResize(this, !this.#isLarge),
      },
      'Ampliar',
    );
    this.element = h(
      'article',
      { class: 'painel', 'aria-labelledby': `base-${base}`, id: `painel-${base}` },
      h(
        'div',
        { class: 'titulo' },
        h('h3', { id: `base-${base}` }, base),
        this.#part('state', 'span', 'estado'),
        h(
          'button',
          {
            type: 'button',
            class: 'discreto',
            'aria-label': `Ver as buscas mais lentas de ${base} agora`,
            onclick: () => onPick(null),
          },
          'Buscas',
        ),
        this.#open,
      ),
      this.#part('file', 'p', 'dados'),
      this.#part('reason', 'p', 'motivo'),
      this.#figures(),
      this.#plots,
      this.settings.element,
    );
    this.#parts.reason.hidden = true;
    this.#drawCharts();
  }

  get metrics() {
    return this.#charts.map(({ metric }) => metric);
  }

  show(metric) {
    this.#metric = metric;
    if (!this.#isLarge) this.#drawCharts();
  }

  enlarge(isLarge) {
    this.#isLarge = isLarge;
    this.element.classList.toggle('grande', isLarge);
    this.#open.setAttribute('aria-expanded', String(isLarge));
    this.#open.setAttribute('aria-label', `${isLarge ? 'Reduzir' : 'Ampliar'} ${this.#base}`);
    setText(this.#open, isLarge ? 'Reduzir' : 'Ampliar');
    this.settings.open(isLarge);
    this.#drawCharts();
  }

  /** The page's colours have changed. */
  redraw() {
    for (const list of this.#plots.querySelectorAll('.legenda'))
      list.replaceWith(legendOf(GRANDEZAS.find(({ id }) => id === list.dataset.grandeza)));
    for (const { chart } of this.#charts) chart.redraw();
  }

  /** @param state as the service sends it; null while there is no contact. */
  showState(state, recent) {
    const { state: badge, reason, pool } = this.#parts;
    const name = state === null ? 'desconhecido' : state.estado;
    if (badge.dataset.estado !== name) badge.dataset.estado = name;
    setText(badge, STATES[name] ?? 'sem contato');
    setText(reason, state?.motivo ?? '');
    reason.hidden = (state?.motivo ?? '') === '';
    if (state === null) return;
    setText(pool, poolText(state));
    if (recent !== undefined) this.#showRecent(recent);
  }

  /** @param file of the base as the service sends it. @param now in seconds. @param isOnNodes the file is not here. */
  showFile({ bytes, carregada_em, versao_dos_dados, decisoes }, now, isOnNodes) {
    const parts = [
      decisoes === null ? null : formatCount(decisoes, 'decisão', 'decisões'),
      isOnNodes ? 'nos nós' : null,
      bytes === null ? null : formatBytes(bytes),
      carregada_em === null ? null : `carregada há ${formatElapsed(now - Date.parse(carregada_em) / 1_000)}`,
      versao_dos_dados === null ? null : `dados nº ${formatWhole(versao_dos_dados)}`,
    ];
    // A line breaks between the parts alone.
    const whole = parts.flatMap((part) => (part === null ? [] : [part.replaceAll(' ', '\u{a0}')]));
    setText(this.#parts.file, whole.join(' · '));
  }

  #showRecent(recent) {
    this.#recent = recent;
    const { segundos, pedidos } = recent;
    setText(this.#parts.scope, `Últimos ${segundos} s: ${formatCount(pedidos, 'pedido', 'pedidos')} à base`);
    for (const of of ['fila', 'exec']) {
      for (const share of ['p50', 'p95', 'p99'])
        setText(this.#parts[`${of}-${share}`], formatNumber(recent[of][share]));
      this.#parts[`${of}-p99`].classList.toggle('fraco', pedidos < P99_REQUESTS_LEAST);
    }
    setText(this.#parts.rate, formatNumber(recent.pedidos_por_s));
    setText(this.#parts.kept, formatNumber(recent.guardadas_por_s));
    setText(this.#parts.use, formatPercent(recent.uso));
  }

  /** Counts of the latest seconds, and how long ago the latest event was. @param now in seconds. */
  showCounts(now) {
    if (this.#recent === undefined) return;
    for (const [key] of COUNTS) {
      const count = this.#recent[key];
      const last = this.#recent.ultimos[key] ?? null;
      const place = this.#parts[`count-${key}`];
      setText(place, formatWhole(count));
      setText(this.#parts[`age-${key}`], last === null ? '' : `há ${formatElapsed(now - last)}`);
      place.parentElement.classList.toggle('atencao', WARNS.has(key) && count > 0);
    }
  }

  /** @param points of the shown period. @param period its name. */
  draw(points, { range, yRangeOf, marks, period }) {
    this.#period = { points, name: period };
    for (const { chart, metric, empty, place, rest } of this.#charts) {
      rest();
      place.dataset.marcas = marks.map(({ texto }) => texto).join(', ');
      chart.update(points, { range, yRange: yRangeOf(metric), marks });
      setText(empty, emptyText(metric, points));
      empty.hidden = points.some((point) => metric.linhas.some(({ de }) => (de(point) ?? 0) > 0));
    }
  }

  #drawCharts() {
    for (const { chart } of this.#charts) chart.destroy();
    const metrics = this.#isLarge ? GRANDEZAS : [this.#metric];
    const places = metrics.map((metric) => {
      const name = `${metric.nome} (${metric.unidade}) de ${this.#base}`;
      const place = h('div', {
        class: 'tela',
        role: 'application',
        tabIndex: 0,
        'aria-label': `${name}, ao longo do tempo; as setas leem segundo a segundo, Enter leva às buscas`,
      });
      const reading = h('p', { class: 'leitura' });
      const empty = h('p', { class: 'vazio' });
      const heading = this.#isLarge
        ? h(
            'div',
            { class: 'nome-do-grafico' },
            h('h4', {}, `${metric.nome}, ${metric.unidade}`),
            legendOf(metric),
          )
        : null;
      const figure = h(
        'div',
        { class: 'grafico' },
        heading,
        h('div', { class: 'quadro' }, place, empty),
        reading,
      );
      return { metric, place, reading, empty, figure };
    });
    this.#plots.replaceChildren(...places.map(({ figure }) => figure));
    // An enlarged panel has the settings beside its charts, so that a change and its effect are seen together.
    (this.#isLarge ? this.#plots : this.element).append(this.settings.element);
    this.#charts = places.map((place) => this.#chartAt(place));
  }

  /** While nothing is pointed at, the line below the chart speaks of its whole period. */
  #chartAt({ metric, place, reading, empty }) {
    let pointed = null;
    const rest = () => {
      if (pointed !== null) return;
      const { points, name } = this.#period;
      setText(reading, points.length === 0 ? '' : `em ${name}: ${metric.resumo(points)}`);
    };
    const chart = new Chart(place, {
      metric,
      showsNames: this.#isLarge,
      onPoint: (point) => {
        pointed = point;
        if (point === null) rest();
        else setText(reading, readingText(metric, point));
      },
      onPick: this.#onPick,
    });
    return { metric, empty, place, chart, rest };
  }

  #figures() {
    const figure = (key) => {
      const place = this.#part(key, 'span', '');
      setText(place, formatNumber(null));
      return place;
    };
    const cell = (key) => h('td', {}, figure(key));
    const row = (of, name) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, name),
        ...['p50', 'p95', 'p99'].map((share) => cell(`${of}-${share}`)),
      );
    const head = ['', 'p50', 'p95', 'p99'].map((name) =>
      name === '' ? h('td', { class: 'canto' }, 'ms') : h('th', { scope: 'col' }, name),
    );
    const percentiles = h(
      'table',
      { class: 'percentis' },
      h('thead', {}, h('tr', {}, ...head)),
      h('tbody', {}, row('exec', 'execução'), row('fila', 'fila')),
    );
    const gauges = h(
      'dl',
      { class: 'medidores' },
      // Two gauges, because the percentiles cover only requests that reached the base.
      h(
        'div',
        { title: 'pedidos que chegaram à base' },
        h('dt', {}, 'à base'),
        h('dd', {}, figure('rate'), ' /s'),
      ),
      h(
        'div',
        { title: 'respostas do cache, sem perguntar à base' },
        h('dt', {}, 'do cache'),
        h('dd', {}, figure('kept'), ' /s'),
      ),
      h('div', {}, h('dt', {}, 'uso do pool'), this.#part('use', 'dd', '')),
    );
    const counts = h('dl', { class: 'contagens' }, ...COUNTS.map((count) => this.#count(count)));
    const scope = this.#part('scope', 'p', 'alcance');
    return h(
      'div',
      { class: 'numeros' },
      scope,
      percentiles,
      gauges,
      counts,
      this.#part('pool', 'p', 'pool'),
    );
  }

  #count([key, name]) {
    const title = WARNS.has(key)
      ? 'nos últimos 10 s; ao lado, há quanto tempo foi o último'
      : 'buscas dos usuários nos últimos 10 s, as do cache incluídas';
    return h(
      'div',
      { title },
      h('dt', {}, name),
      h('dd', { class: 'idade' }, this.#part(`age-${key}`, 'span', '')),
      this.#part(`count-${key}`, 'dd', 'conta'),
    );
  }

  #part(name, tag, className) {
    const element = h(tag, className === '' ? {} : { class: className });
    this.#parts[name] = element;
    return element;
  }
}

/** Why a chart is empty. */
function emptyText({ id }, points) {
  if (points.length === 0) return 'sem números no período';
  return id === 'falhas' ? 'nenhuma no período' : 'sem pedidos no período';
}

function poolText({ threads, threads_presas, reinicios, na_fila, em_execucao }) {
  const parts = [formatCount(threads, 'thread', 'threads')];
  parts.push(`${em_execucao} em execução`, `${na_fila} na fila`);
  if (threads_presas > 0) parts.push(`${threads_presas} presas`);
  if (reinicios > 0) parts.push(formatCount(reinicios, 'reinício', 'reinícios'));
  return parts.join(' · ');
}

function readingText({ linhas, escreve, unidade }, { em, valores }) {
  const values = linhas.map(({ rotulo }, at) => `${rotulo} ${escreve(valores[at] ?? null)}`);
  return `${formatTime(em)}  ${values.join('  ')}${unidade === 'ms' ? ' ms' : ''}`;
}
