import { Damaged } from '../ingest/damaged.ts';
import type { Item } from '../ingest/formats/format.ts';

/** Fields that almost every mirrored judgment has. */
const ALWAYS = ['processo', 'orgao_julgador', 'relator', 'data_julgamento', 'data_publicacao', 'ementa'];

/** Finds a file whose fields have other names or kinds: its decisions would replace good ones, and lack those fields. */
export class ShapeCheck {
  #decisions = 0;
  readonly #lacking = new Map<string, number>();

  see(item: Item): void {
    if (item.kind === 'left-out') return;
    this.#decisions += 1;
    // Made by the format itself.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const line = item.kind === 'linha' ? (JSON.parse(item.linha) as Record<string, unknown>) : {};
    for (const field of ALWAYS.filter((name) => (line[name] ?? null) === null))
      this.#lacking.set(field, (this.#lacking.get(field) ?? 0) + 1);
  }

  /** @throws Damaged if most decisions lack a field. */
  end(): void {
    const most = ALWAYS.filter((field) => 2 * (this.#lacking.get(field) ?? 0) > this.#decisions);
    if (most.length === 0) return;
    throw new Damaged(`most of its decisions have no ${most.join(', ')}: has the format changed?`);
  }
}
