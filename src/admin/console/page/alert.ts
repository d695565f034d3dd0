import type { ServiceRecent } from '../service-figures.ts';
import type { Answers } from './api.ts';
import { BASES } from './contract.js';
import { formatBytes, formatCount, formatWhole, listed } from './format.ts';
import { byId, setText } from './html.ts';
import { page } from './state.ts';

const TITLE = 'Console da busca de jurisprudência';
/** A disk with less free space than this fraction is nearly full; with fewer free bytes than this, full. */
const ROOM_LEAST = 0.05;
const ROOM_BYTES_LEAST = 16e6;
const SIGNS = { falha: '■', aviso: '▲' };
const ICONS = { falha: '-down', aviso: '-warning' };

let isDiskFull = false;

/** @param disk of the data; null if unknown. */
export function showDisk(disk: Answers['bases']['disco']) {
  const place = byId('disco');
  if (disk === null) {
    setText(place, '');
    return;
  }
  const { livre_bytes, bytes } = disk;
  isDiskFull = livre_bytes < ROOM_BYTES_LEAST;
  setText(place, `Disco dos dados: ${formatBytes(livre_bytes)} livres de ${formatBytes(bytes)}`);
  place.dataset.marca = isDiskFull ? 'falha' : livre_bytes / bytes < ROOM_LEAST ? 'aviso' : '';
  showAlert();
}

/** Shows current problems in the header, the tab's title and its icon. */
export function showAlert() {
  const { states = null } = page;
  // Without a connection the latest figures are old.
  const service = states && page.service;
  const down = BASES.filter((base) => states?.[base]?.estado === 'fora');
  const faults = down.length === 0 ? [] : [`${listed(down)} fora do ar`];
  if (states !== null && isDiskFull) faults.push('disco cheio');
  // A base that is down explains incomplete searches.
  const all = service === null || faults.length > 0 ? faults : complaints(service);
  const text = states === null ? 'sem contato' : all.join(', ');
  const mark = states === null || faults.length > 0 ? 'falha' : 'aviso';
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

/** Problems that users see, even if all bases are up. */
function complaints({ buscas, completas, erros_5xx, segundos }: ServiceRecent) {
  const incomplete = formatCount(buscas - completas, 'busca incompleta', 'buscas incompletas');
  const all = [];
  if (completas < buscas) all.push(`${incomplete} de ${formatWhole(buscas)} em ${segundos} s`);
  if (erros_5xx > 0) all.push(`${formatCount(erros_5xx, 'resposta 5xx', 'respostas 5xx')} em ${segundos} s`);
  return all;
}
