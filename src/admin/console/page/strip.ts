import type { ServiceRecent } from '../service-figures.ts';
import { formatCount, formatElapsed, formatFinePercent, formatNumber, formatWhole } from './format.ts';
import { html, setText, byId, show } from './html.ts';
import { page, serviceNow } from './state.ts';

const MB = 1_000_000;
/** A figure is marked from these values on. */
const COMPLETE_LEAST = 0.99;
const DELAY_MS_MOST = 100;
const BUSY_MOST = 0.9;
/** With fewer answers there is no p99: it would be the slowest. */
const P99_ANSWERS_LEAST = 100;

const TILES = {
  pedidos: ['Pedidos', 'respostas dadas por segundo, recusas incluídas'],
  completas: ['Completas', 'parte das buscas respondidas a que nenhuma base faltou'],
  p50: ['p50 servido', 'metade das respostas saiu em até este tempo; do pedido à resposta, cache incluído'],
  p99: [
    'p99 servido',
    'de cada 100 respostas, 99 saíram em até este tempo; do pedido à resposta, cache incluído',
  ],
  recusas: ['429', 'respostas 429, da cota ou do limite por IP'],
  erros: ['5xx', 'respostas 500 a 599, entre elas o tempo esgotado de um registro'],
  'do-cache': [
    'Do cache',
    'parte das respostas dadas sem perguntar a base alguma, entre as que precisam de bases',
  ],
  cpu: ['CPU', 'núcleos ocupados pelo serviço, em média'],
  maquina: ['Máquina', 'núcleos ocupados por todos os programas da máquina, em média'],
  carga: ['Carga', 'programas da máquina que rodam ou esperam por um núcleo, em média de um minuto'],
  atraso: ['Atraso', 'o maior atraso do laço de eventos: enquanto dura, nenhum pedido é lido nem respondido'],
  memoria: ['Memória', 'memória do serviço, sem os arquivos mapeados; conhecida só em Linux'],
} as const;

type Tile = readonly [text: string, note: string, mark?: string | false];

function tilesOf(s: ServiceRecent, now: number): Record<keyof typeof TILES, Tile> {
  const cores = `de ${formatCount(s.nucleos, 'núcleo', 'núcleos')}`;
  const isFew = s.respostas > 0 && s.respostas < P99_ANSWERS_LEAST;
  const memory = s.memoria_bytes;
  return {
    pedidos: [`${formatNumber(s.respostas_por_s)} /s`, `${formatWhole(s.respostas)} em ${s.segundos} s`],
    completas: [
      formatFinePercent(part(s.completas, s.buscas)),
      s.buscas === 0 ? 'nenhuma busca' : `de ${formatCount(s.buscas, 'busca', 'buscas')}`,
      s.completas < COMPLETE_LEAST * s.buscas && 'aviso',
    ],
    p50: [milliseconds(s.servidas.p50), 'pedido inteiro'],
    p99: [
      milliseconds(s.servidas.p99),
      isFew ? `só ${formatCount(s.respostas, 'resposta', 'respostas')}` : 'pedido inteiro',
    ],
    recusas: [formatWhole(s.recusas_429), eventNote(s.ultima_429, now), s.recusas_429 > 0 && 'aviso'],
    erros: [formatWhole(s.erros_5xx), eventNote(s.ultimo_5xx, now), s.erros_5xx > 0 && 'falha'],
    'do-cache': [
      formatFinePercent(part(s.do_cache, s.pelas_bases)),
      s.pelas_bases === 0 ? 'nenhum pedido' : 'sem ir às bases',
    ],
    cpu: [formatNumber(s.cpu), cores],
    maquina: [
      formatNumber(s.cpu_da_maquina),
      cores,
      (s.cpu_da_maquina ?? 0) > BUSY_MOST * s.nucleos && 'aviso',
    ],
    carga: [formatNumber(s.carga_da_maquina), 'da máquina, 1 min'],
    atraso: [milliseconds(s.atraso_ms), 'do laço, o maior', s.atraso_ms > DELAY_MS_MOST && 'aviso'],
    memoria:
      memory === null
        ? [formatNumber(null), 'desconhecida']
        : [`${formatWhole(memory / MB)} MB`, 'sem arquivos'],
  };
}

/** Shows the service as users see it, as a strip of figures over the latest seconds. */
export function showStrip() {
  const service = page.series?.servico ?? null;
  const shown: Partial<Record<string, Tile>> = service === null ? {} : tilesOf(service, serviceNow());
  const tiles = Object.entries(TILES).map(([id, [name, about]]) => {
    const [text, note, mark] = shown[id] ?? ['–', ''];
    return html`
      <div class="ficha" id=${`ficha-${id}`} title=${about} data-marca=${mark || ''}>
        <dt>${name}</dt>
        <dd><span class="valor">${text}</span><span class="miudo">${note}</span></dd>
      </div>`;
  });
  show('fichas', tiles);
  const scope =
    service === null ? 'Ainda sem números.' : `Dos últimos ${service.segundos} s, como os usuários recebem.`;
  setText(byId('servico-nota'), scope);
}

function part(some: number, all: number) {
  return all === 0 ? null : some / all;
}

function milliseconds(value: number | null) {
  return value === null ? formatNumber(null) : `${formatNumber(value)} ms`;
}

/** Old events are shown but mark nothing. */
function eventNote(last: number | null, now: number) {
  return last === null ? 'nenhum até aqui' : `último há ${formatElapsed(now - last)}`;
}
