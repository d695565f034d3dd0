import type { LiveSeries } from '../live-routes.ts';
import type { ServiceRecent } from '../service-figures.ts';
import { BASES } from './vocabulary.js';
import { formatBytes, formatCount, formatWhole, listed } from './format.ts';
import { byId, setText } from './html.ts';
import { page } from './state.ts';

const TITLE = 'Console da busca de jurisprudência';
/** A disk with less free space than this fraction is nearly full; with fewer free bytes than this, full. */
const ROOM_LEAST = 0.05;
const ROOM_BYTES_LEAST = 16e6;
const SIGNS = { falha: '■', aviso: '▲' };
const ICONS = { falha: '-down', aviso: '-warning' };

/** @param disk of the data; null if unknown. */
export function showDisk(disk: LiveSeries['disco']) {
  const place = byId('disco');
  const room = disk && `${formatBytes(disk.freeBytes)} livres de ${formatBytes(disk.bytes)}`;
  setText(place, room === null ? '' : `Disco dos dados: ${room}`);
  const isLow = disk !== null && disk.freeBytes / disk.bytes < ROOM_LEAST;
  place.dataset.marca = isFull(disk) ? 'falha' : isLow ? 'aviso' : '';
}

/** Shows current problems in the header, the tab's title and its icon. */
export function showAlert() {
  const isLost = page.lostAt !== null;
  // Without a connection the latest figures are old.
  const series = isLost ? null : page.series;
  const faults = series === null ? [] : faultsOf(series);
  const service = series?.servico ?? null;
  // A base that is down explains incomplete searches.
  const all = service === null || faults.length > 0 ? faults : complaints(service);
  const text = isLost ? 'sem contato' : all.join(', ');
  const mark = isLost || faults.length > 0 ? 'falha' : 'aviso';
  // A lost connection has its message already.
  byId('alerta').hidden = all.length === 0;
  byId('alerta').dataset.marca = mark;
  byId('alerta-texto').setAttribute('href', faults.length > 0 ? '#bases' : '#servico');
  setText(byId('alerta-texto'), text);
  const title = text === '' ? TITLE : `${SIGNS[mark]} ${text} – ${TITLE}`;
  if (document.title !== title) document.title = title;
  const icon = `/console/icon${text === '' ? '' : ICONS[mark]}.svg`;
  if (byId('icone').getAttribute('href') !== icon) byId('icone').setAttribute('href', icon);
}

function faultsOf({ estados, disco }: LiveSeries) {
  const down = BASES.filter((base) => estados[base].state === 'down');
  const faults = down.length === 0 ? [] : [`${listed(down)} fora do ar`];
  return isFull(disco) ? [...faults, 'disco cheio'] : faults;
}

function isFull(disk: LiveSeries['disco']) {
  return disk !== null && disk.freeBytes < ROOM_BYTES_LEAST;
}

/** Problems that users see, even if all bases are up. */
function complaints({ buscas, completas, erros_5xx, segundos }: ServiceRecent) {
  const incomplete = formatCount(buscas - completas, 'busca incompleta', 'buscas incompletas');
  const all = [];
  if (completas < buscas) all.push(`${incomplete} de ${formatWhole(buscas)} em ${segundos} s`);
  if (erros_5xx > 0) all.push(`${formatCount(erros_5xx, 'resposta 5xx', 'respostas 5xx')} em ${segundos} s`);
  return all;
}
