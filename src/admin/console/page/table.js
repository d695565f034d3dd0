import { h } from './dom.js';

/** @param columns each with its name and class; one without a name has no heading. */
export function headOf(columns) {
  const cells = columns.map(([name, className = '']) =>
    h(name === '' ? 'td' : 'th', { ...(name === '' ? {} : { scope: 'col' }), class: className }, name),
  );
  return h('thead', {}, h('tr', {}, ...cells));
}

/** A cell that says its column where the table is too narrow for a head. */
export function cell(name, className, ...children) {
  return h('td', { class: className, 'data-nome': name }, h('div', { class: 'dado' }, ...children));
}

/** Marks each scrolling place that has more to show than it has room. */
export function watchScrolling() {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target.closest('.rolagem'));
  });
  const take = (place) => {
    watch.observe(place);
    for (const child of place.children) watch.observe(child);
    place.addEventListener('scroll', () => mark(place), { passive: true });
  };
  const known = new WeakSet();
  const takeNew = () => {
    for (const place of document.querySelectorAll('.rolagem')) {
      if (known.has(place)) continue;
      known.add(place);
      take(place);
    }
  };
  takeNew();
  new MutationObserver(takeNew).observe(document.body, { childList: true, subtree: true });
}

function mark(place) {
  if (place === null) return;
  const hidden = place.scrollWidth - place.clientWidth - place.scrollLeft;
  const state = place.scrollWidth <= place.clientWidth + 1 ? '' : hidden > 1 ? 'continua' : 'fim';
  if (place.dataset.rola !== state) place.dataset.rola = state;
}
