import type { CodigoTribunal } from '../../contract/enums.ts';
import { caseNumber } from './case-number.ts';
import { hexadecimal } from './numbers.ts';
import { STATE_CODES } from './places.ts';
import type { Rng } from './rng.ts';

/** What a decision of `tribunal` in `year` points at, by the mark of its slot (template.ts). */
export function reference(
  rng: Rng,
  mark: 'fls' | 'id' | 'proc' | 'uf',
  { tribunal, year }: { readonly tribunal: CodigoTribunal; readonly year: number },
): string {
  switch (mark) {
    case 'fls': {
      const leaf = 2 + rng.zipf(900, 90);
      return `fls. ${leaf}/${leaf + rng.between(1, 9)}`;
    }
    case 'id':
      return `ID. ${hexadecimal(rng, 7)}`;
    case 'proc':
      return caseNumber(rng, tribunal, year);
    case 'uf':
      return rng.pick(STATE_CODES);
  }
}
