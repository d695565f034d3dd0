import type { Base } from '../../contract/enums.ts';
import type { Formato } from './format.ts';
import { jsonl } from './jsonl.ts';
import { stjEspelhos } from './stj-espelhos.ts';

/** Every format there is. A new court's format is one module and one row here. */
export const FORMATOS: readonly Formato[] = [jsonl, stjEspelhos];

export const FORMAT_NAMES: readonly string[] = FORMATOS.map(({ name }) => name);

/** The formats that hold decisions of a base. */
export function formatsOf(base: Base): readonly Formato[] {
  return FORMATOS.filter(({ bases }) => bases.includes(base));
}
