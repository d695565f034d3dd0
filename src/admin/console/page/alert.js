import { BASES } from './contract.js';
import { byId, setText } from './dom.js';

const TITLE = 'Console da busca de jurisprudência';

/**
 * Says in the header, in the tab's title and in its icon what needs somebody now.
 * @param states of the bases by name, as the service sends them; null while there is no contact.
 */
export function showAlert(states) {
  const down = states === null ? [] : BASES.filter((base) => states[base].estado === 'fora');
  const text = states === null ? 'sem contato' : down.length === 0 ? '' : `${listed(down)} fora do ar`;
  const place = byId('alerta');
  // While there is no contact the connection says so itself.
  place.hidden = down.length === 0;
  setText(byId('alerta-texto'), text);
  const title = text === '' ? TITLE : `■ ${text} – ${TITLE}`;
  if (document.title !== title) document.title = title;
  const icon = `/console/${text === '' ? 'icon' : 'icon-down'}.svg`;
  if (byId('icone').getAttribute('href') !== icon) byId('icone').setAttribute('href', icon);
}

function listed(names) {
  return names.length > 2 ? `${names.length} bases` : names.join(' e ');
}
