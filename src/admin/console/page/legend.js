import { h } from './dom.js';
import { color } from './theme.js';

/** The lines of a metric by their looks. */
export function legendOf({ id, linhas }) {
  const samples = linhas.map(({ rotulo, cor, traco }) => h('li', {}, sample(cor, traco), rotulo));
  return h('ul', { class: 'legenda', 'data-grandeza': id, 'aria-label': 'Linhas do gráfico' }, ...samples);
}

function sample(cor, traco) {
  const scale = devicePixelRatio;
  const canvas = h('canvas', { width: 22 * scale, height: 8 * scale, 'aria-hidden': 'true' });
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.strokeStyle = color(cor);
  context.lineWidth = 2;
  context.setLineDash(traco ?? []);
  context.beginPath();
  context.moveTo(0, 4);
  context.lineTo(22, 4);
  context.stroke();
  return canvas;
}
