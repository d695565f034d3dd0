import type { ServiceRecent } from '../service-figures.ts';
import type { Answers } from './api.ts';
import { BASES } from './contract.js';
import { formatBytes, formatCount, formatWhole, listed } from './format.ts';
import { byId, setText } from './html.ts';
import { page } from './state.ts';

const TITLE = 'Console da busca de jurisprudência';
/** With less room than this fraction of the disk it is nearly full, and with less than so many bytes it is full. */
const ROOM_LEAST = 0.05;
const ROOM_BYTES_LEAST = 16e6;
const SIGNS = { falha: '■', aviso: '▲' };
const ICONS = { falha: '-down', aviso: '-warning' };

let isDiskFull = false;

/** @param disk of the data, which for a front is not that of the bases; null if the service does not know. */
export function showDisk(disk: Answers['bases']['disco']) {
  const place = byId('disco');
  if (disk === null) {
    setText(place, '');
    return;
  }
  const { livre_bytes, bytes } = disk;
  isDiskFull = livre_bytes < ROOM_BYTES_LEAST;
  const name = page.isFront ? 'Disco deste front, sem as bases' : 'Disco dos dados';
  setText(place, `${name}: ${formatBytes(livre_bytes)} livres de ${formatBytes(bytes)}`);
  place.dataset.marca = isDiskFull ? 'falha' : livre_bytes / bytes < ROOM_LEAST ? 'aviso' : '';
  showAlert();
}

/** Says in the header, in the tab's title and in its icon what needs somebody now. */
export function showAlert() {
  const { states, isFront } = page;
  // Without contact the latest figures are old.
  const service = states && page.service;
  const down = BASES.filter((base) => states?.[base]?.estado === 'fora');
  const faults = down.length === 0 ? [] : [`${listed(down)} fora do ar`];
  if (states !== null && isDiskFull) faults.push(isFront ? 'disco do front cheio' : 'disco cheio');
  // A base that is down is why searches are incomplete.
  const all = service === null || faults.length > 0 ? faults : complaints(service);
  const text = states === null ? 'sem contato' : all.join(', ');
  const mark = states === null || faults.length > 0 ? 'falha' : 'aviso';
  // While there is no contact the connection says so itself.
  byId('alerta').hidden = all.length === 0;
  byId('alerta').dataset.marca = mark;
  byId('alerta-texto').setAttribute('href', faults.length > 0 ? '#bases' : '#servico');
  setText(byId('alerta-texto'), text);
  const title = text === '' ? TITLE : `${SIGNS[mark]} ${text} – ${TITLE}`;
  if (document.title !== title) document.title = title;
  const icon = `/console/icon${text === '' ? '' : ICONS[mark]}.svg`;
  if (byId('icone').getAttribute('href') !== icon) byId('icone').setAttribute('href', icon);
}

/** What users get that they should not: the bases may all be up. */
function complaints({ buscas, completas, erros_5xx, segundos }: ServiceRecent) {
  const incomplete = formatCount(buscas - completas, 'busca incompleta', 'buscas incompletas');
  const all = [];
  if (completas < buscas) all.push(`${incomplete} de ${formatWhole(buscas)} em ${segundos} s`);
  if (erros_5xx > 0) all.push(`${formatCount(erros_5xx, 'resposta 5xx', 'respostas 5xx')} em ${segundos} s`);
  return all;
}
