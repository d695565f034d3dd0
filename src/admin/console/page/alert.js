import { BASES } from './contract.js';
import { byId, setText } from './dom.js';
import { formatBytes } from './format.js';

const TITLE = 'Console da busca de jurisprudência';
/** With less room than this share of the disk it is nearly full, and with less than so many bytes it is full. */
const ROOM_LEAST = 0.05;
const ROOM_BYTES_LEAST = 16e6;

let states = {};
let isDiskFull = false;
let isFronts = false;

/**
 * Says in the header, in the tab's title and in its icon what needs somebody now.
 * @param of the states of the bases by name, as the service sends them; null while there is no contact.
 */
export function showAlert(of) {
  states = of;
  show();
}

/**
 * @param disk of the data, as the service sends it; null where it does not know.
 * @param ofFront true where the bases are on nodes, whose disks this is not.
 */
export function showDisk(disk, ofFront) {
  const place = byId('disco');
  if (disk === null) {
    setText(place, '');
    return;
  }
  const { livre_bytes, bytes } = disk;
  isFronts = ofFront;
  isDiskFull = livre_bytes < ROOM_BYTES_LEAST;
  const name = isFronts ? 'Disco deste front, sem as bases' : 'Disco dos dados';
  setText(place, `${name}: ${formatBytes(livre_bytes)} livres de ${formatBytes(bytes)}`);
  place.dataset.marca = isDiskFull ? 'falha' : livre_bytes / bytes < ROOM_LEAST ? 'aviso' : '';
  show();
}

function show() {
  const down = states === null ? [] : BASES.filter((base) => states[base]?.estado === 'fora');
  const faults = down.length === 0 ? [] : [`${listed(down)} fora do ar`];
  if (states !== null && isDiskFull) faults.push(isFronts ? 'disco do front cheio' : 'disco cheio');
  const text = states === null ? 'sem contato' : faults.join(', ');
  // While there is no contact the connection says so itself.
  byId('alerta').hidden = faults.length === 0;
  setText(byId('alerta-texto'), text);
  const title = text === '' ? TITLE : `■ ${text} – ${TITLE}`;
  if (document.title !== title) document.title = title;
  const icon = `/console/${text === '' ? 'icon' : 'icon-down'}.svg`;
  if (byId('icone').getAttribute('href') !== icon) byId('icone').setAttribute('href', icon);
}

function listed(names) {
  return names.length > 2 ? `${names.length} bases` : names.join(' e ');
}
