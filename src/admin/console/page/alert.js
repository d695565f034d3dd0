import { BASES } from './contract.js';
import { formatBytes, formatCount, formatWhole, listed } from './format.js';
import { byId, setText } from './html.js';

/** @import { Answers, LiveSecond, ServiceRecent } from './types.d.ts' */

const TITLE = 'Console da busca de jurisprudência';
/** With less room than this share of the disk it is nearly full, and with less than so many bytes it is full. */
const ROOM_LEAST = 0.05;
const ROOM_BYTES_LEAST = 16e6;
const SIGNS = { falha: '■', aviso: '▲' };
const ICONS = { falha: '-down', aviso: '-warning' };

/** @type {Partial<LiveSecond['estados']> | null} */
let states = {};
/** The service's latest seconds; null before. @type {ServiceRecent | null} */
let service = null;
let isDiskFull = false;
let isFronts = false;

/**
 * Says in the header, in the tab's title and in its icon what needs somebody now.
 * @param {typeof states} of the states of the bases by name; null while there is no contact.
 * @param {typeof service} seconds the service's latest seconds.
 */
export function showAlert(of, seconds = null) {
  states = of;
  service = seconds;
  show();
}

/**
 * @param {Answers['bases']['disco']} disk of the data; null where the service does not know.
 * @param {boolean} ofFront true where the bases are on nodes, whose disks this is not.
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
  const down = states === null ? [] : BASES.filter((base) => states?.[base]?.estado === 'fora');
  const faults = down.length === 0 ? [] : [`${listed(down)} fora do ar`];
  if (states !== null && isDiskFull) faults.push(isFronts ? 'disco do front cheio' : 'disco cheio');
  // A base that is down is why searches are incomplete.
  const warnings = service === null || faults.length > 0 ? [] : complaints(service);
  const all = [...faults, ...warnings];
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

/** What users get that they should not: the bases may all be up. @param {ServiceRecent} service */
function complaints({ buscas, completas, erros_5xx, segundos }) {
  const incomplete = buscas - completas;
  return [
    ...(incomplete > 0
      ? [
          `${formatCount(incomplete, 'busca incompleta', 'buscas incompletas')} de ${formatWhole(buscas)} em ${segundos} s`,
        ]
      : []),
    ...(erros_5xx > 0 ? [`${formatCount(erros_5xx, 'resposta 5xx', 'respostas 5xx')} em ${segundos} s`] : []),
  ];
}
