import {
  formatCount,
  formatElapsed,
  formatFinePercent,
  formatNumber,
  formatPercent,
  formatWhole,
} from './format.js';
import { html, setText, byId, show } from './html.js';

/** @import { Key, ServiceRecent } from './types.d.ts' */

const MB = 1_000_000;
/** Shares and delays from which a figure is marked. */
const COMPLETE_LEAST = 0.99;
const DELAY_MS_MOST = 100;
const BUSY_MOST = 0.9;
/** Fewer answers have no p99: it would be the slowest one. */
const P99_ANSWERS_LEAST = 100;

/**
 * One figure each: its name, what it means, and `de`, which gives text, note and mark of the service's figures.
 * @type {readonly {
 *   id: string,
 *   nome: string,
 *   sobre: string,
 *   de: (service: ServiceRecent, now: number) => [text: string, note: string, mark?: string],
 * }[]}
 */
const TILES = [
  {
    id: 'pedidos',
    nome: 'Pedidos',
    sobre: 'respostas dadas por segundo, recusas incluídas',
    de: (s) => [`${formatNumber(s.respostas_por_s)} /s`, `${formatWhole(s.respostas)} em ${s.segundos} s`],
  },
  {
    id: 'completas',
    nome: 'Completas',
    sobre: 'parte das buscas respondidas a que nenhuma base faltou',
    de: (s) => [
      formatFinePercent(part(s.completas, s.buscas)),
      s.buscas === 0 ? 'nenhuma busca' : `de ${formatCount(s.buscas, 'busca', 'buscas')}`,
      s.completas < COMPLETE_LEAST * s.buscas ? 'aviso' : '',
    ],
  },
  {
    id: 'p50',
    nome: 'p50 servido',
    sobre: 'metade das respostas saiu em até este tempo; do pedido à resposta, cache incluído',
    de: (s) => [milliseconds(s.servidas.p50), 'pedido inteiro'],
  },
  {
    id: 'p99',
    nome: 'p99 servido',
    sobre: 'de cada 100 respostas, 99 saíram em até este tempo; do pedido à resposta, cache incluído',
    de: (s) =>
      s.respostas > 0 && s.respostas < P99_ANSWERS_LEAST
        ? [milliseconds(s.servidas.p99), `só ${formatCount(s.respostas, 'resposta', 'respostas')}`]
        : [milliseconds(s.servidas.p99), 'pedido inteiro'],
  },
  {
    id: 'recusas',
    nome: '429',
    sobre: 'respostas 429, da cota ou do limite por IP',
    de: (s, now) => [
      formatWhole(s.recusas_429),
      eventNote(s.ultima_429, now),
      s.recusas_429 > 0 ? 'aviso' : '',
    ],
  },
  {
    id: 'erros',
    nome: '5xx',
    sobre: 'respostas 500 a 599, entre elas o tempo esgotado de um registro',
    de: (s, now) => [formatWhole(s.erros_5xx), eventNote(s.ultimo_5xx, now), s.erros_5xx > 0 ? 'falha' : ''],
  },
  {
    id: 'do-cache',
    nome: 'Do cache',
    sobre: 'parte das respostas dadas sem perguntar a base alguma, entre as que precisam de bases',
    de: (s) => [
      formatFinePercent(part(s.do_cache, s.pelas_bases)),
      s.pelas_bases === 0 ? 'nenhum pedido' : 'sem ir às bases',
    ],
  },
  {
    id: 'cpu',
    nome: 'CPU',
    sobre: 'núcleos ocupados pelos processos do serviço, em média',
    de: (s) => [formatNumber(s.cpu), `de ${formatCount(s.nucleos, 'núcleo', 'núcleos')}`],
  },
  {
    id: 'maquina',
    nome: 'Máquina',
    sobre: 'núcleos ocupados por todos os programas da máquina, em média',
    de: (s) => [
      formatNumber(s.cpu_da_maquina),
      `de ${formatCount(s.nucleos, 'núcleo', 'núcleos')}`,
      (s.cpu_da_maquina ?? 0) > BUSY_MOST * s.nucleos ? 'aviso' : '',
    ],
  },
  {
    id: 'carga',
    nome: 'Carga',
    sobre: 'programas da máquina que rodam ou esperam por um núcleo, em média de um minuto',
    de: (s) => [formatNumber(s.carga_da_maquina), 'da máquina, 1 min'],
  },
  {
    id: 'atraso',
    nome: 'Atraso',
    sobre: 'o maior atraso do laço de eventos: enquanto dura, nenhum pedido é lido nem respondido',
    de: (s) => [
      milliseconds(s.atraso_ms),
      s.processos > 1 ? 'do laço, no pior' : 'do laço, o maior',
      (s.atraso_ms ?? 0) > DELAY_MS_MOST ? 'aviso' : '',
    ],
  },
  {
    id: 'memoria',
    nome: 'Memória',
    sobre: 'memória dos processos do serviço, sem os arquivos mapeados; conhecida só em Linux',
    de: (s) => [
      s.memoria_bytes === null ? formatNumber(null) : `${formatWhole(s.memoria_bytes / MB)} MB`,
      s.memoria_bytes === null ? 'desconhecida' : 'sem arquivos',
    ],
  },
];

/** The service as its users see it, in one row of figures over the latest seconds. */
export class Strip {
  #key = '';

  /** @param {ServiceRecent | null} service null while there is none. @param {number} now in seconds, by its clock. */
  show(service, now) {
    const tiles = TILES.map(({ id, nome, sobre, de }) => {
      const [text, note, mark = ''] = service === null ? ['–', ''] : de(service, now);
      return html`
        <div class="ficha" id=${`ficha-${id}`} title=${sobre} data-marca=${mark}>
          <dt>${nome}</dt>
          <dd><span class="valor">${text}</span><span class="miudo">${note}</span></dd>
        </div>`;
    });
    show('fichas', tiles);
    const scope = service === null ? 'Ainda sem números.' : `${scopeText(service)}${this.#key}`;
    setText(byId('servico-nota'), scope);
  }

  /** Who asks most now. @param {readonly Key[]} keys */
  showKeys(keys) {
    const all = keys.reduce((sum, { por_s }) => sum + por_s, 0);
    const [first] = keys.toSorted((a, b) => b.por_s - a.por_s);
    this.#key = first === undefined || first.por_s === 0 ? '' : ` ${keyText(first, all)}`;
  }
}

/** @param {Key} key @param {number} all */
function keyText({ nome, por_s, recusas_por_s }, all) {
  const refused = recusas_por_s > 0 ? `, ${formatNumber(recusas_por_s)} delas recusadas` : '';
  return `Quem mais pede: a chave ${nome}, ${formatNumber(por_s)} /s (${formatPercent(por_s / all)})${refused}.`;
}

/** @param {ServiceRecent} service */
function scopeText({ segundos, processos, processos_que_relatam }) {
  const scope = `Dos últimos ${segundos} s, como os usuários recebem.`;
  if (processos_que_relatam >= processos)
    return processos > 1 ? `${scope} Soma de ${processos} processos.` : scope;
  return `${scope} Só ${processos_que_relatam} de ${processos} processos relatam: o que os outros fazem não está aqui.`;
}

/** @param {number} some @param {number} all */
function part(some, all) {
  return all === 0 ? null : some / all;
}

/** @param {number | null} value */
function milliseconds(value) {
  return value === null ? formatNumber(null) : `${formatNumber(value)} ms`;
}

/** Events age: what is long past is said, and marks nothing. @param {number | null} last @param {number} now */
function eventNote(last, now) {
  return last === null ? 'nenhum até aqui' : `último há ${formatElapsed(now - last)}`;
}
