import type { ComponentChildren } from 'preact';
import { html } from './html.ts';

/** A column: name, cell class, and cell content. */
export type Column<T> = readonly [
  name: string,
  className: string | ((of: T) => string),
  show: (of: T) => ComponentChildren,
];

/** A heading for each column with a name. */
export function headOf<T>(columns: readonly Column<T>[]) {
  const cells = columns.map(([name, given]) => {
    const className = typeof given === 'string' ? given : 'numero';
    return name === ''
      ? html`<td class=${className}></td>`
      : html`<th scope="col" class=${className}>${name}</th>`;
  });
  return html`<thead><tr>${cells}</tr></thead>`;
}

interface TableOptions<T> {
  readonly keyOf?: (of: T) => string | number;
  readonly classOf?: (of: T) => string;
  /** Shown instead of rows. */
  readonly none?: string;
  /** A second row for an element. */
  readonly detailsOf?: (of: T) => ComponentChildren;
}

/** A table's head and rows; the first cell of a row is its heading. */
export function table<T>(
  columns: readonly Column<T>[],
  all: readonly T[],
  { keyOf, classOf, none = '', detailsOf }: TableOptions<T> = {},
) {
  const across = (className: string, content: ComponentChildren) =>
    content && html`<tr class=${className}><td colspan=${columns.length} class="texto">${content}</td></tr>`;
  const rows = all.map((of) => {
    // Cells show their column's name if the table is too narrow for a head.
    const cells = columns.map(([name, given, show], at) => {
      const cellClass = typeof given === 'string' ? given : given(of);
      return at === 0
        ? html`<th scope="row" class=${cellClass}>${show(of)}</th>`
        : html`<td class=${cellClass} data-nome=${name}><div class="dado">${show(of)}</div></td>`;
    });
    const row = html`<tr key=${keyOf?.(of)} class=${classOf?.(of)}>${cells}</tr>`;
    return detailsOf === undefined ? row : [row, across('detalhes', detailsOf(of))];
  });
  return html`
    ${headOf(columns)}
    <tbody>${rows.length === 0 ? across('fraco', none) : rows}</tbody>`;
}

export const numberClass = (isBad: boolean) => (isBad ? 'numero erro' : 'numero');

export function mark(kind: '' | 'aviso' | 'falha', text: string) {
  return html`<span class="marca" data-marca=${kind}>${text}</span>`;
}
