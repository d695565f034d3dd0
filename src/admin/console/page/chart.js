import uPlot from './uplot.js';
import { formatPercent, formatTime } from './format.js';
import { html } from './html.js';
import { Component, createRef } from './preact.js';
import { columns, DECADES, lonely } from './points.js';
import { color } from './theme.js';

/** @import { default as Plot } from 'uplot' */
/** @import { Line, Metric, Point, Reading, Shown } from './types.d.ts' */

/** @typedef {Shown & { metric: Metric }} ChartProps */

const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });
const FONT = '11px system-ui, sans-serif';
const AXIS_PIXELS = 46;
const LABEL_PIXELS_LEAST = 18;
/** By how many seconds a key moves. @type {Readonly<Record<string, number>>} */
const KEYS_BY = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
/** Of the width, and its bounds. */
const HEIGHT_SHARE = 0.3;
const HEIGHT_LEAST = 120;
const HEIGHT_MOST = 190;
/** Most marks with a name: more names would be unreadable, and the table of changes has them all. */
const NAMES_MAX = 3;
/** Space between two names. */
const APART_PIXELS = 20;

/**
 * One chart of one base: lines over time, and a mark wherever a setting was changed.
 * @extends {Component<ChartProps, { pointed: Reading | null }>}
 */
export class Chart extends Component {
  /** @type {{ pointed: Reading | null }} */
  state = { pointed: null };
  #place = createRef();
  /** @type {Plot | null} */
  #plot = null;
  /** The second that the keys have chosen. @type {number | null} */
  #keyed = null;
  #watch = new ResizeObserver(() => this.#plot?.setSize(this.#size()));

  componentDidMount() {
    this.#plot = new uPlot({ ...this.#size(), ...this.#options() }, this.#data(), this.#place.current);
    this.#watch.observe(this.#place.current);
  }

  /** @param {ChartProps} before */
  componentDidUpdate(before) {
    // A reading alone draws nothing anew.
    if (before.frame !== this.props.frame) this.#plot?.setData(this.#data());
  }

  componentWillUnmount() {
    this.#watch.disconnect();
    this.#plot?.destroy();
  }

  render() {
    const { metric, base, isLarge, points, frame, marks } = this.props;
    const { pointed } = this.state;
    const { nome, unidade, linhas } = metric;
    const label = `${nome} (${unidade}) de ${base}, ao longo do tempo; as setas leem segundo a segundo, Enter leva às buscas`;
    const isEmpty = !points.some((point) => linhas.some(({ de }) => (de(point) ?? 0) > 0));
    // While nothing is pointed at, the line below the chart speaks of its whole period.
    const rest = points.length === 0 ? '' : `em ${frame.period}: ${metric.resumo(points)}`;
    return html`
      <div class="grafico">
        ${isLarge && html`<div class="nome-do-grafico"><h4>${nome}, ${unidade}</h4>${legendOf(metric)}</div>`}
        <div class="quadro">
          <div class="tela" role="application" tabindex="0" aria-label=${label} ref=${this.#place}
            data-marcas=${marks.map(({ texto }) => texto).join(', ')}
            onclick=${() => this.#pick(this.state.pointed?.em ?? null)}
            onkeydown=${(/** @type {KeyboardEvent} */ event) => this.#press(event)}
            onblur=${() => this.#point(null)}></div>
          <p class="vazio" hidden=${!isEmpty}>${emptyText(metric, points)}</p>
        </div>
        <p class="leitura">${pointed === null ? rest : readingText(metric, pointed)}</p>
      </div>`;
  }

  #size() {
    const width = Math.max(160, this.#place.current.clientWidth);
    const height = Math.min(HEIGHT_MOST, Math.max(HEIGHT_LEAST, Math.round(width * HEIGHT_SHARE)));
    return { width, height };
  }

  #data() {
    return columns(this.props.points, this.props.metric);
  }

  /** @param {number | null} em */
  #pick(em) {
    if (em !== null) this.props.onPick(em);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const by = KEYS_BY[event.key];
    if (event.key === 'Enter') this.#pick(this.#keyed);
    else if (event.key === 'Escape') this.#point(null);
    else if (by === undefined) return;
    else this.#move(by);
    event.preventDefault();
  }

  /** Points at a second some places from the present one, beginning with the latest. @param {number} places */
  #move(places) {
    const seconds = this.#plot?.data[0] ?? [];
    const before = this.#keyed === null ? seconds.length : seconds.indexOf(this.#keyed);
    const at = Math.min(seconds.length - 1, Math.max(0, before + places));
    if (seconds.length > 0) this.#point(seconds[at] ?? null);
  }

  /** @param {number | null} em a second; null points at none. */
  #point(em) {
    this.#keyed = em;
    if (em === null) this.#plot?.setCursor({ left: -10, top: -10 });
    else this.#plot?.setCursor({ left: this.#plot.valToPos(em, 'x'), top: 1 });
  }

  /** @param {Reading | null} pointed */
  #read(pointed) {
    if (pointed?.em !== this.state.pointed?.em) this.setState({ pointed });
  }

  /** @returns {Omit<Plot.Options, 'width' | 'height'>} */
  #options() {
    const { metric, isLarge } = this.props;
    const yRange = () => this.props.frame.yRangeOf(metric);
    return {
      legend: { show: false },
      padding: [isLarge ? 18 : 8, 24, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 5 }, sync: { key: 'console' } },
      scales: {
        x: { time: true, range: () => this.props.frame.range },
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its numbers have no names at run time
        y: { distr: metric.log ? 3 : 1, range: yRange },
      },
      axes: [
        axis({ size: 22, space: 64, values: timeTexts, incrs: [15, 30, 60, 120, 180, 300] }),
        axis({
          size: AXIS_PIXELS,
          space: 22,
          values: (_, ticks) =>
            ticks.map((tick) => (metric.maximo === 1 ? formatPercent(tick) : plain.format(tick))),
          ...(metric.log
            ? {
                splits: () => {
                  const [least, most] = yRange();
                  return DECADES.filter((at) => at >= least && at <= most);
                },
                filter: (_, ticks) => ticks,
              }
            : {}),
        }),
      ],
      series: [{}, ...metric.linhas.map(seriesOf)],
      hooks: {
        draw: [(plot) => this.#drawMarks(plot)],
        setCursor: [(plot) => this.#read(readingAt(plot))],
      },
    };
  }

  /** @param {Plot} plot */
  #drawMarks(plot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = color('marca');
    ctx.fillStyle = color('marca');
    ctx.lineWidth = Math.max(1, devicePixelRatio);
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    // Earlier drawing has left other values.
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    // The latest first: when there is no room for all names, the latest ones stay.
    const right = bbox.left + bbox.width;
    let free = right;
    let named = 0;
    for (const { em, texto } of this.props.marks.toReversed()) {
      const x = Math.round(plot.valToPos(em, 'x', true));
      if (x < bbox.left || x > right) continue;
      drawMark(ctx, x, bbox);
      const width = ctx.measureText(texto).width;
      // A name begins at its mark, or ends at the right edge.
      const left = Math.min(x, right - width);
      const isRoom = left >= bbox.left && left + width <= free;
      if (this.props.isLarge && named < NAMES_MAX && isRoom) {
        ctx.fillText(texto, left, bbox.top - 5 * devicePixelRatio);
        free = left - APART_PIXELS * devicePixelRatio;
        named += 1;
      }
    }
    ctx.restore();
  }
}

/** The lines of a metric by their looks. @param {Metric} metric */
export function legendOf({ linhas }) {
  const samples = linhas.map(
    ({ rotulo, cor, traco }) => html`
      <li>
        <svg width="22" height="8" aria-hidden="true">
          <line x2="22" y1="4" y2="4" stroke-width="2" stroke=${`var(--${cor})`} stroke-dasharray=${traco?.join(' ')} />
        </svg>
        ${rotulo}
      </li>`,
  );
  return html`<ul class="legenda" aria-label="Linhas do gráfico">${samples}</ul>`;
}

/** Why a chart is empty. @param {Metric} metric @param {readonly Point[]} points */
function emptyText({ id }, points) {
  if (points.length === 0) return 'sem números no período';
  return id === 'falhas' ? 'nenhuma no período' : 'sem pedidos no período';
}

/** @param {Metric} metric @param {Reading} reading */
function readingText({ linhas, escreve, unidade }, { em, valores }) {
  const values = linhas.map(({ rotulo }, at) => `${rotulo} ${escreve(valores[at] ?? null)}`);
  return `${formatTime(em)}  ${values.join('  ')}${unidade === 'ms' ? ' ms' : ''}`;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {Plot.BBox} bbox */
function drawMark(ctx, x, { top, height }) {
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.setLineDash([]);
  const size = 4 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x - size, top);
  ctx.lineTo(x + size, top);
  ctx.lineTo(x, top + size * 1.5);
  ctx.fill();
}

/** @param {Plot.Axis} own @returns {Plot.Axis} */
function axis(own) {
  return {
    stroke: () => color('fraco'),
    grid: { stroke: () => color('grade'), width: 1 },
    ticks: { show: false },
    font: FONT,
    gap: 4,
    ...own,
  };
}

/** @param {Line} line @returns {Plot.Series} */
function seriesOf({ rotulo, cor, traco }) {
  return {
    label: rotulo,
    stroke: () => color(cor),
    width: 1.5,
    ...(traco === undefined ? {} : { dash: traco }),
    // A single second between gaps has no line, so it is a point.
    points: { show: true, size: 4, filter: (plot, series) => lonely(plot.data[series] ?? []) },
  };
}

/** @param {Plot} plot @returns {Reading | null} what is under the pointer. */
function readingAt(plot) {
  const { idx, left } = plot.cursor;
  const [seconds, ...lines] = plot.data;
  const em = left === undefined || left < 0 ? undefined : seconds[idx ?? -1];
  return em === undefined ? null : { em, valores: lines.map((line) => line[idx ?? -1]) };
}

/**
 * Labels show seconds when they are less than a minute apart. One at the very left would lie on those of the other axis.
 * @type {Plot.Axis.DynamicValues}
 */
function timeTexts(plot, ticks, _axis, _space, increment) {
  return ticks.map((tick) => {
    if (plot.valToPos(tick, 'x') < LABEL_PIXELS_LEAST) return '';
    return increment < 60 ? formatTime(tick) : formatTime(tick).slice(0, 5);
  });
}
