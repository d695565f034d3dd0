import type { CodigoTribunal } from '../../contract/enums.ts';
import { caseSequence, cnjNumber, type CnjSegment } from './numbers.ts';
import type { Rng } from './rng.ts';

/** The CNJ number of a case of this court that began some years before it was judged in `year`. */
export function caseNumber(rng: Rng, tribunal: CodigoTribunal, year: number): string {
  const began = Math.max(1998, year - rng.zipf(12, 2));
  return cnjNumber(caseSequence(rng), began, segment(rng, tribunal));
}

function segment(rng: Rng, tribunal: CodigoTribunal): CnjSegment {
  switch (tribunal) {
    case 'stf':
      return { branch: 1, court: 0, unit: 0 };
    case 'stj':
      return { branch: 3, court: 0, unit: 0 };
    case 'tst':
      return { branch: 5, court: rng.between(1, 24), unit: rng.between(1, 180) };
    case 'trt3':
      return { branch: 5, court: 3, unit: rng.between(1, 180) };
    case 'tjmg':
      return { branch: 8, court: 13, unit: rng.chance(0.3) ? 0 : rng.between(1, 720) };
    case 'tnu':
      return { branch: 4, court: rng.between(1, 6), unit: rng.between(3300, 7200) };
    case 'trf6':
      return { branch: 4, court: 6, unit: rng.between(3800, 3826) };
  }
}
