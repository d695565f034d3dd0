import { html } from './html.js';

/** @import { ComponentChildren } from 'preact' */
/** @import { Column } from './types.d.ts' */

/**
 * A heading for each column; one without a name has none.
 * @param {readonly (readonly [name: string, kind?: unknown, show?: unknown, below?: ComponentChildren])[]} columns
 */
export function headOf(columns) {
  const cells = columns.map(([name, kind, , below]) => {
    const className = typeof kind === 'string' ? kind : 'numero';
    return name === '' && below === undefined
      ? html`<td class=${className}></td>`
      : html`<th scope="col" class=${className}>${name}${below}</th>`;
  });
  return html`<thead><tr>${cells}</tr></thead>`;
}

/**
 * A row whose first cell is its heading. Cells say their column where the table is too narrow for a head.
 * @template T @param {readonly Column<T>[]} columns @param {T} of
 * @param {{ key?: string | number, className?: string }} [options]
 */
export function rowOf(columns, of, { key, className = '' } = {}) {
  const cells = columns.map(([name, kind, showCell], at) => {
    const cellClass = typeof kind === 'string' ? kind : kind(of);
    if (at === 0) return html`<th scope="row" class=${cellClass}>${showCell(of)}</th>`;
    return html`<td class=${cellClass} data-nome=${name}><div class="dado">${showCell(of)}</div></td>`;
  });
  return html`<tr key=${key} class=${className}>${cells}</tr>`;
}

/**
 * The head and the rows of a table, or what it says if it has none.
 * @template T @param {readonly Column<T>[]} columns @param {readonly T[]} all
 * @param {{ keyOf: (of: T) => string | number, classOf?: (of: T) => string, none?: string }} options
 */
export function table(columns, all, { keyOf, classOf = () => '', none = '' }) {
  const rows = all.map((of) => rowOf(columns, of, { key: keyOf(of), className: classOf(of) }));
  const empty = html`<tr><td colspan=${columns.length} class="texto">${none}</td></tr>`;
  return html`${headOf(columns)}<tbody>${rows.length === 0 ? empty : rows}</tbody>`;
}

/** A word with a sign. @param {'' | 'aviso' | 'falha'} kind @param {string} text */
export function mark(kind, text) {
  return html`<span class="marca" data-marca=${kind}>${text}</span>`;
}

/** Marks each scrolling place that has more to show than it has room. */
export function watchScrolling() {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) markRoom(target.closest('.rolagem'));
  });
  const known = new WeakSet();
  const takeNew = () => {
    for (const place of document.querySelectorAll('.rolagem')) {
      if (known.has(place)) continue;
      known.add(place);
      watch.observe(place);
      for (const child of place.children) watch.observe(child);
      place.addEventListener('scroll', () => markRoom(place), { passive: true });
    }
  };
  takeNew();
  new MutationObserver(takeNew).observe(document.body, { childList: true, subtree: true });
}

/** @param {Element | null} place */
function markRoom(place) {
  if (!(place instanceof HTMLElement)) return;
  const hidden = place.scrollWidth - place.clientWidth - place.scrollLeft;
  const state = place.scrollWidth <= place.clientWidth + 1 ? '' : hidden > 1 ? 'continua' : 'fim';
  if (place.dataset.rola !== state) place.dataset.rola = state;
}
