import uPlot from './uplot.js';
import { columns, lonely } from './columns.js';
import { formatPercent, formatTime } from './format.js';
import { DECADES } from './scale.js';
import { color } from './theme.js';

const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });
const FONT = '11px system-ui, sans-serif';
const AXIS_PIXELS = 46;
const LABEL_PIXELS_LEAST = 18;
/** By how many seconds a key moves. */
const KEYS_BY = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
/** Of the width, and its bounds. */
const HEIGHT_SHARE = 0.3;
const HEIGHT_LEAST = 120;
const HEIGHT_MOST = 190;
/** Most marks with a name: more names would be unreadable, and the table of changes has them all. */
const NAMES_MAX = 3;
/** Space between two names. */
const APART_PIXELS = 20;

/** One chart of one base: lines over time, and a mark wherever a setting was changed. */
export class Chart {
  #plot;
  #metric;
  #marks = [];
  #showsNames;
  #yRange = [0, 1];
  #xRange = [0, 1];
  #watch;
  /** The second that the keys have chosen; null where they have not. */
  #keyed = null;

  /**
   * @param place element that gives the chart its width. @param onPoint called with the figures under the pointer, or null.
   * @param onPick called with the second that is clicked.
   */
  constructor(place, { metric, showsNames, onPoint, onPick }) {
    this.#metric = metric;
    this.#showsNames = showsNames;
    const size = () => {
      const width = Math.max(160, place.clientWidth);
      return {
        width,
        height: Math.min(HEIGHT_MOST, Math.max(HEIGHT_LEAST, Math.round(width * HEIGHT_SHARE))),
      };
    };
    this.#plot = new uPlot({ ...size(), ...this.#options(onPoint) }, emptyData(metric), place);
    this.#watch = new ResizeObserver(() => this.#plot.setSize(size()));
    this.#watch.observe(place);
    place.addEventListener('click', () => {
      const point = pointAt(this.#plot);
      if (point !== null) onPick(point.em);
    });
    place.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        if (this.#keyed !== null) onPick(this.#keyed);
      } else if (event.key === 'Escape') this.#point(null);
      else if (KEYS_BY[event.key] === undefined) return;
      else this.#move(KEYS_BY[event.key]);
      event.preventDefault();
    });
    place.addEventListener('blur', () => this.#point(null));
  }

  /** @param range first and last second. @param yRange the same for all charts of a metric, so that they compare. */
  update(points, { range, yRange, marks }) {
    this.#xRange = range;
    this.#yRange = yRange;
    this.#marks = marks;
    this.#plot.setData(columns(points, this.#metric));
  }

  redraw() {
    this.#plot.redraw(false, true);
  }

  destroy() {
    this.#watch.disconnect();
    this.#plot.destroy();
  }

  /** Points at a second some places from the present one, beginning with the latest. */
  #move(places) {
    const [seconds] = this.#plot.data;
    const before = this.#keyed === null ? seconds.length : seconds.indexOf(this.#keyed);
    if (seconds.length > 0) this.#point(Math.min(seconds.length - 1, Math.max(0, before + places)));
  }

  /** @param index of a second; null points at none. */
  #point(index) {
    this.#keyed = index === null ? null : this.#plot.data[0][index];
    const left = index === null ? -10 : this.#plot.valToPos(this.#plot.data[0][index], 'x');
    this.#plot.setCursor({ left, top: index === null ? -10 : 1 });
  }

  #options(onPoint) {
    const { log, linhas, maximo } = this.#metric;
    return {
      legend: { show: false },
      padding: [this.#showsNames ? 18 : 8, 24, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 5 }, sync: { key: 'console' } },
      scales: {
        x: { time: true, range: () => this.#xRange },
        y: { distr: log ? 3 : 1, range: () => this.#yRange },
      },
      axes: [
        axis({ size: 22, space: 64, values: timeTexts, incrs: [15, 30, 60, 120, 180, 300] }),
        axis({
          size: AXIS_PIXELS,
          space: 22,
          values: (_, ticks) =>
            ticks.map((tick) => (maximo === 1 ? formatPercent(tick) : plain.format(tick))),
          ...(log
            ? {
                splits: () => DECADES.filter((at) => at >= this.#yRange[0] && at <= this.#yRange[1]),
                filter: (_, ticks) => ticks,
              }
            : {}),
        }),
      ],
      series: [{}, ...linhas.map(lineOf)],
      hooks: {
        draw: [() => this.#drawMarks()],
        setCursor: [(plot) => onPoint(pointAt(plot))],
      },
    };
  }

  #drawMarks() {
    const { ctx, bbox } = this.#plot;
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
    for (const { em, texto } of this.#marks.toReversed()) {
      const x = Math.round(this.#plot.valToPos(em, 'x', true));
      if (x < bbox.left || x > right) continue;
      drawMark(ctx, x, bbox);
      const width = ctx.measureText(texto).width;
      // A name begins at its mark, or ends at the right edge.
      const left = Math.min(x, right - width);
      const isRoom = left >= bbox.left && left + width <= free;
      if (this.#showsNames && named < NAMES_MAX && isRoom) {
        ctx.fillText(texto, left, bbox.top - 5 * devicePixelRatio);
        free = left - APART_PIXELS * devicePixelRatio;
        named += 1;
      }
    }
    ctx.restore();
  }
}

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

function lineOf({ rotulo, cor, traco }) {
  return {
    label: rotulo,
    stroke: () => color(cor),
    width: 1.5,
    dash: traco,
    // A single second between gaps has no line, so it is a point.
    points: { show: true, size: 4, filter: (plot, series) => lonely(plot.data[series]) },
  };
}

function emptyData({ linhas }) {
  return [[], ...linhas.map(() => [])];
}

function pointAt(plot) {
  const { idx, left } = plot.cursor;
  if (idx === null || idx === undefined || left === null || left < 0) return null;
  const em = plot.data[0][idx];
  return em === undefined ? null : { em, valores: plot.data.slice(1).map((line) => line[idx]) };
}

/** Labels show seconds when they are less than a minute apart. One at the very left would lie on those of the other axis. */
function timeTexts(plot, ticks, _axis, _space, increment) {
  return ticks.map((tick) => {
    if (plot.valToPos(tick, 'x') < LABEL_PIXELS_LEAST) return '';
    return increment < 60 ? formatTime(tick) : formatTime(tick).slice(0, 5);
  });
}
