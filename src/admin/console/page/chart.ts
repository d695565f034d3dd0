import uPlot from './uplot.js';
import type { Base } from '../../../contract/vocabulary.ts';
import type { Point } from '../base-gauge.ts';
import { formatPercent, formatTick, formatTime } from './format.ts';
import { html, reference } from './html.ts';
import type { Line, Metric } from './metrics.ts';
import { columns, DECADES, lonely, type Range } from './points.ts';
import { Component } from './preact.js';
import { showSearchesOf } from './recent.ts';
import { marksOf } from './settings.ts';
import { page } from './state.ts';

/** State that all charts share. */
export interface Frame {
  /** The period's name, first and last second. */
  readonly period: string;
  readonly range: Range;
  /** The points of this period. */
  readonly points: ReadonlyMap<Base, readonly Point[]>;
  /** The same for all charts, so that they compare. */
  readonly yRange: Range;
}

interface ChartProps {
  readonly base: Base;
  readonly metric: Metric;
  readonly frame: Frame;
}

const FONT = '11px system-ui, sans-serif';
const AXIS_PIXELS = 46;
const LABEL_PIXELS_LEAST = 18;
/** How many seconds a key moves by. */
const KEYS_BY: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
/** The height as a fraction of the width, and the height's bounds. */
const HEIGHT_FRACTION = 0.3;
const HEIGHT_LEAST = 120;
const HEIGHT_MOST = 190;
const probe = document.createElement('span');
probe.hidden = true;
document.body.append(probe);

/** A base's chart: lines over time, with marks where a setting was changed. */
export class Chart extends Component<ChartProps, { em: number | null }> {
  /** The second that is pointed at, also by the keyboard or on another chart. */
  state = { em: null };
  #place = reference();
  #plot: uPlot | null = null;
  #watch = new ResizeObserver(() => this.#plot?.setSize(this.#size()));

  componentDidMount() {
    this.#plot = new uPlot({ ...this.#size(), ...this.#options() }, this.#data(), this.#place.current);
    this.#watch.observe(this.#place.current);
  }

  componentDidUpdate(before: ChartProps) {
    // Moving the reading does not redraw the chart.
    if (before.frame !== this.props.frame) this.#plot?.setData(this.#data());
  }

  componentWillUnmount() {
    this.#watch.disconnect();
    this.#plot?.destroy();
  }

  render() {
    const { metric, base, frame } = this.props;
    const points = this.#points;
    const pointed = points.find(({ em }) => em === this.state.em);
    const { name, unit, lines } = metric;
    const label = `${name} (${unit}) de ${base}, ao longo do tempo; as setas leem segundo a segundo, Enter leva às buscas`;
    const isEmpty = !points.some((point) => lines.some(({ of }) => (of(point) ?? 0) > 0));
    // Without a pointer, the line below the chart summarises the whole period.
    const rest = points.length === 0 ? '' : `em ${frame.period}: ${metric.summary(points)}`;
    return html`
      <div class="grafico">
        <div class="quadro">
          <div class="tela" role="application" tabindex="0" aria-label=${label} ref=${this.#place}
            data-marcas=${marksOf(base)
              .map(({ text }) => text)
              .join(', ')}
            onclick=${() => this.#pick()}
            onkeydown=${(event: KeyboardEvent) => this.#press(event)}
            onblur=${() => this.#point(null)}></div>
          <p class="vazio" hidden=${!isEmpty}>${emptyText(metric, points)}</p>
        </div>
        <p class="leitura">${pointed === undefined ? rest : readingText(metric, pointed)}</p>
      </div>`;
  }

  #size() {
    const width = Math.max(160, this.#place.current.clientWidth);
    const height = Math.min(HEIGHT_MOST, Math.max(HEIGHT_LEAST, Math.round(width * HEIGHT_FRACTION)));
    return { width, height };
  }

  get #points() {
    return this.props.frame.points.get(this.props.base) ?? [];
  }

  #data() {
    return columns(this.#points, this.props.metric);
  }

  #pick() {
    if (this.state.em !== null) showSearchesOf(this.props.base, this.state.em);
  }

  #press(event: KeyboardEvent) {
    const by = KEYS_BY[event.key];
    if (event.key === 'Enter') this.#pick();
    else if (event.key === 'Escape') this.#point(null);
    else if (by === undefined) return;
    else this.#move(by);
    event.preventDefault();
  }

  /** Moves the pointer by some seconds, from the latest at first. */
  #move(places: number) {
    const points = this.#points;
    const before = points.findIndex(({ em }) => em === this.state.em);
    const at = (before < 0 ? points.length : before) + places;
    this.#point(points[Math.min(points.length - 1, Math.max(0, at))]?.em ?? null);
  }

  /** @param em a second; null for none. */
  #point(em: number | null) {
    if (em === null) this.#plot?.setCursor({ left: -10, top: -10 });
    else this.#plot?.setCursor({ left: this.#plot.valToPos(em, 'x'), top: 1 });
  }

  #read(em: number | null) {
    if (em !== this.state.em) this.setState({ em });
  }

  #options(): Omit<uPlot.Options, 'width' | 'height'> {
    const { metric } = this.props;
    const yRange = () => this.props.frame.yRange;
    const format = metric.max === 1 ? formatPercent : formatTick;
    const decades: Partial<uPlot.Axis> = {
      splits: () => {
        const [least, most] = yRange();
        return DECADES.filter((at) => at >= least && at <= most);
      },
      filter: (_, ticks) => ticks,
    };
    return {
      legend: { show: false },
      padding: [8, 24, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 5 }, sync: { key: 'console' } },
      scales: {
        x: { time: true, range: () => this.props.frame.range },
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its numbers have no names at run time
        y: { distr: metric.isLog ? 3 : 1, range: yRange },
      },
      axes: [
        axis({ size: 22, space: 64, values: timeTexts, incrs: [15, 30, 60, 120, 180, 300] }),
        axis({
          size: AXIS_PIXELS,
          space: 22,
          values: (_, ticks) => ticks.map((tick) => format(tick)),
          ...(metric.isLog && decades),
        }),
      ],
      series: [{}, ...metric.lines.map(seriesOf)],
      hooks: {
        draw: [(plot) => this.#drawMarks(plot)],
        setCursor: [(plot) => this.#read(secondAt(plot))],
      },
    };
  }

  #drawMarks(plot: uPlot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = color('texto');
    ctx.lineWidth = Math.max(1, devicePixelRatio);
    for (const { em } of marksOf(this.props.base)) {
      const x = Math.round(plot.valToPos(em, 'x', true));
      if (x >= bbox.left && x <= bbox.left + bbox.width) drawMark(ctx, x, bbox);
    }
    ctx.restore();
  }
}

/** The current value of a style sheet colour, for canvases. */
function color(name: string) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

export function legendOf({ lines }: Metric) {
  const samples = lines.map(
    ({ label, color: name, dash }) => html`
      <li>
        <svg width="22" height="8" aria-hidden="true">
          <line x2="22" y1="4" y2="4" stroke-width="2" stroke=${`var(--${name})`} stroke-dasharray=${dash?.join(' ')} />
        </svg>
        ${label}
      </li>`,
  );
  return html`<ul class="legenda" aria-label="Linhas do gráfico">${samples}</ul>`;
}

function emptyText({ id }: Metric, points: readonly Point[]) {
  if (points.length === 0)
    return page.series === null && page.lostAt === null ? 'carregando…' : 'sem números no período';
  return id === 'falhas' ? 'nenhuma no período' : 'sem pedidos no período';
}

function readingText({ lines, format, unit }: Metric, point: Point) {
  const texts = lines.map(({ label, of }) => `${label} ${format(of(point))}`);
  return `${formatTime(point.em)}  ${texts.join('  ')}${unit === 'ms' ? ' ms' : ''}`;
}

function drawMark(ctx: CanvasRenderingContext2D, x: number, { top, height }: uPlot.BBox) {
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
}

function axis(own: uPlot.Axis): uPlot.Axis {
  return {
    stroke: () => color('fraco'),
    grid: { stroke: () => color('grade'), width: 1 },
    ticks: { show: false },
    font: FONT,
    gap: 4,
    ...own,
  };
}

function seriesOf({ label, color: name, dash }: Line): uPlot.Series {
  return {
    label,
    stroke: () => color(name),
    width: 1.5,
    ...(dash && { dash }),
    // A single second between gaps has no line, so it is a point.
    points: { show: true, size: 4, filter: (plot, series) => lonely(plot.data[series] ?? []) },
  };
}

/** The second under the pointer. */
function secondAt({ cursor: { idx, left = -1 }, data: [seconds] }: uPlot) {
  return left < 0 ? null : (seconds[idx ?? -1] ?? null);
}

/** Labels less than a minute apart show seconds. A label at the far left would overlap the other axis. */
const timeTexts: uPlot.Axis.DynamicValues = (plot, ticks, _axis, _space, increment) =>
  ticks.map((tick) => {
    if (plot.valToPos(tick, 'x') < LABEL_PIXELS_LEAST) return '';
    return increment < 60 ? formatTime(tick) : formatTime(tick).slice(0, 5);
  });
