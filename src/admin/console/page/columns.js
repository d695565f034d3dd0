import { DECADES } from './scale.js';

/** Points as the columns of a chart; missing seconds break the lines. */
export function columns(points, { linhas, log }) {
  const seconds = [];
  const lines = linhas.map(() => []);
  let before = null;
  for (const point of points) {
    if (before !== null && point.em > before + 1) {
      seconds.push(before + 1);
      for (const line of lines) line.push(null);
    }
    before = point.em;
    seconds.push(point.em);
    for (const [at, { de }] of linhas.entries()) {
      const value = de(point);
      lines[at].push(log && value !== null ? Math.max(value, DECADES[0]) : value);
    }
  }
  return [seconds, ...lines];
}

/** Indexes of values without a neighbour. */
export function lonely(values) {
  const found = [];
  for (let at = 0; at < values.length; at += 1) {
    if (values[at] !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null)
      found.push(at);
  }
  return found;
}
