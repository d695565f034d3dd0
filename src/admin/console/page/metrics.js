import { formatNumber, formatPercent, formatTime, formatWhole } from './format.js';

const percentiles = (of) => [
  { rotulo: 'p50', cor: 'linha-1', de: (ponto) => ponto[of].p50 },
  { rotulo: 'p95', cor: 'linha-2', de: (ponto) => ponto[of].p95 },
  { rotulo: 'p99', cor: 'linha-3', traco: [5, 3], de: (ponto) => ponto[of].p99 },
];
const countLine = (rotulo, chave, cor, traco) => ({ rotulo, cor, traco, de: (ponto) => ponto[chave] });

/** The slowest moment of a period. */
const worstOf = (of) => (points) => {
  const worst = points.reduce(
    (most, point) => ((point[of].p99 ?? -1) > (most?.[of].p99 ?? -1) ? point : most),
    null,
  );
  return worst === null || worst[of].p99 === null
    ? 'sem pedidos'
    : `p99 até ${formatNumber(worst[of].p99)} ms, às ${formatTime(worst.em)}`;
};
const sumOf = (points, key) => points.reduce((sum, point) => sum + point[key], 0);
const FAILURES = [
  ['tempo_esgotado', 'com tempo esgotado'],
  ['recusados', 'recusados'],
  ['recuos', 'recuos'],
  ['falhas', 'falhas'],
];

/** How failures of a period add up. */
function failures(points) {
  const sums = FAILURES.map(([key, name]) => [sumOf(points, key), name]).filter(([sum]) => sum > 0);
  return sums.length === 0 ? 'nenhuma' : sums.map(([sum, name]) => `${formatWhole(sum)} ${name}`).join(', ');
}

function use(points) {
  const uses = points.flatMap(({ uso }) => (uso === null ? [] : [uso]));
  if (uses.length === 0) return 'sem threads';
  const mean = uses.reduce((sum, one) => sum + one, 0) / uses.length;
  return `média ${formatPercent(mean)}, até ${formatPercent(Math.max(...uses))}`;
}

/** The metrics of a chart: their lines, made of a second's figures, their scale, and what a whole period comes to. */
export const GRANDEZAS = [
  {
    id: 'exec',
    nome: 'Execução',
    unidade: 'ms',
    log: true,
    escreve: formatNumber,
    linhas: percentiles('exec'),
    resumo: worstOf('exec'),
  },
  {
    id: 'fila',
    nome: 'Fila',
    unidade: 'ms',
    log: true,
    escreve: formatNumber,
    linhas: percentiles('fila'),
    resumo: worstOf('fila'),
  },
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
