import { formatNumber, formatPercent, formatTime, formatWhole } from './format.js';

/** @import { Line, Metric, Point } from './types.d.ts' */

/** @typedef {'pedidos' | 'guardadas' | 'relevancia' | 'recentes' | 'tempo_esgotado' | 'recusados' | 'recuos' | 'falhas'} Count */

/**
 * @param {string} rotulo @param {Count | 'uso'} chave @param {string} cor @param {number[]} [traco] @returns {Line}
 */
const countLine = (rotulo, chave, cor, traco) => ({
  rotulo,
  cor,
  ...(traco && { traco }),
  de: (ponto) => ponto[chave],
});

/**
 * Percentiles of times, and the slowest moment of a period.
 * @param {'exec' | 'fila'} id @param {string} nome @returns {Metric}
 */
const timesOf = (id, nome) => ({
  id,
  nome,
  unidade: 'ms',
  log: true,
  escreve: formatNumber,
  linhas: [
    { rotulo: 'p50', cor: 'linha-1', de: (point) => point[id].p50 },
    { rotulo: 'p95', cor: 'linha-2', de: (point) => point[id].p95 },
    { rotulo: 'p99', cor: 'linha-3', traco: [5, 3], de: (point) => point[id].p99 },
  ],
  resumo: (points) => {
    const most = Math.max(...points.map((point) => point[id].p99 ?? -1));
    const worst = points.find((point) => point[id].p99 === most);
    return worst === undefined
      ? 'sem pedidos'
      : `p99 até ${formatNumber(most)} ms, às ${formatTime(worst.em)}`;
  },
});
/** @param {readonly Point[]} points @param {Count} key */
const sumOf = (points, key) => points.reduce((sum, point) => sum + point[key], 0);
/** @type {readonly (readonly [Count, string])[]} */
const FAILURES = [
  ['tempo_esgotado', 'com tempo esgotado'],
  ['recusados', 'recusados'],
  ['recuos', 'recuos'],
  ['falhas', 'falhas'],
];

/** How failures of a period add up. @type {Metric['resumo']} */
function failures(points) {
  const sums = FAILURES.flatMap(([key, name]) => {
    const sum = sumOf(points, key);
    return sum === 0 ? [] : [`${formatWhole(sum)} ${name}`];
  });
  return sums.length === 0 ? 'nenhuma' : sums.join(', ');
}

/** @type {Metric['resumo']} */
function use(points) {
  const uses = points.flatMap(({ uso }) => (uso === null ? [] : [uso]));
  if (uses.length === 0) return 'sem threads';
  const mean = uses.reduce((sum, one) => sum + one, 0) / uses.length;
  return `média ${formatPercent(mean)}, até ${formatPercent(Math.max(...uses))}`;
}

/** The metrics of a chart. @type {readonly [Metric, ...Metric[]]} */
export const GRANDEZAS = [
  timesOf('exec', 'Execução'),
  timesOf('fila', 'Fila'),
  {
    id: 'vazao',
    nome: 'Vazão',
    unidade: 'por s',
    log: false,
    escreve: formatNumber,
    linhas: [
      countLine('à base', 'pedidos', 'linha-1'),
      countLine('do cache', 'guardadas', 'linha-1', [2, 2]),
      countLine('relevância', 'relevancia', 'linha-2'),
      countLine('recentes', 'recentes', 'linha-3', [5, 3]),
    ],
    resumo: (points) =>
      `${formatWhole(sumOf(points, 'pedidos'))} à base, ${formatWhole(sumOf(points, 'guardadas'))} do cache`,
  },
  {
    id: 'uso',
    nome: 'Uso do pool',
    unidade: '%',
    log: false,
    maximo: 1,
    escreve: formatPercent,
    linhas: [countLine('threads ocupadas', 'uso', 'linha-1')],
    resumo: use,
  },
  {
    id: 'falhas',
    nome: 'Falhas',
    unidade: 'por s',
    log: false,
    escreve: formatNumber,
    linhas: [
      countLine('tempo esgotado', 'tempo_esgotado', 'falha'),
      countLine('recusados', 'recusados', 'linha-2'),
      countLine('recuos', 'recuos', 'linha-3', [5, 3]),
      countLine('falhas', 'falhas', 'linha-1', [2, 2]),
    ],
    resumo: failures,
  },
];
