import { numero, porcento } from './format.js';

const percentis = (of) => [
  { rotulo: 'p50', cor: 'linha-1', de: (ponto) => ponto[of].p50 },
  { rotulo: 'p95', cor: 'linha-2', de: (ponto) => ponto[of].p95 },
  { rotulo: 'p99', cor: 'linha-3', traco: [5, 3], de: (ponto) => ponto[of].p99 },
];
const contagem = (rotulo, chave, cor, traco) => ({ rotulo, cor, traco, de: (ponto) => ponto[chave] });

/** The metrics of a chart: their lines, made of a second's figures, and their scale. */
export const GRANDEZAS = [
  { id: 'exec', nome: 'Execução', unidade: 'ms', log: true, escreve: numero, linhas: percentis('exec') },
  { id: 'fila', nome: 'Fila', unidade: 'ms', log: true, escreve: numero, linhas: percentis('fila') },
  {
    id: 'vazao',
    nome: 'Vazão',
    unidade: 'por s',
    log: false,
    escreve: numero,
    linhas: [
      contagem('à base', 'pedidos', 'linha-1'),
      contagem('do cache', 'guardadas', 'linha-1', [2, 2]),
      contagem('relevância', 'relevancia', 'linha-2'),
      contagem('recentes', 'recentes', 'linha-3', [5, 3]),
    ],
  },
  {
    id: 'uso',
    nome: 'Uso do pool',
    unidade: '%',
    log: false,
    maximo: 1,
    escreve: porcento,
    linhas: [contagem('threads ocupadas', 'uso', 'linha-1')],
  },
  {
    id: 'falhas',
    nome: 'Falhas',
    unidade: 'por s',
    log: false,
    escreve: numero,
    linhas: [
      contagem('tempo esgotado', 'tempo_esgotado', 'falha'),
      contagem('recusados', 'recusados', 'linha-2'),
      contagem('recuos', 'recuos', 'linha-3', [5, 3]),
      contagem('falhas', 'falhas', 'linha-1', [2, 2]),
    ],
  },
];
