import type { CodigoTribunal } from '../../contract/enums.ts';
import { STATE_CODES, SURNAMES } from './coinage.ts';
import { writtenDate, yearOf } from './calendar.ts';
import { caseNumber, grouped } from './numbers.ts';
import type { TextBuffer } from './pieces.ts';
import type { Rng } from './rng.ts';

const ORDINALS = ['Primeira', 'Segunda', 'Terceira', 'Quarta', 'Quinta', 'Sexta'];
const STF_BODIES = ['Plenário', 'Primeira Turma', 'Segunda Turma'];
const STJ_CLASSES = ['REsp', 'AgInt no AREsp', 'AgInt no REsp', 'EDcl no REsp', 'AgRg no AREsp', 'EREsp'];
const STF_CLASSES = ['RE', 'ARE', 'HC', 'Rcl', 'ADI', 'AI'];
const TST_CLASSES = ['RR', 'AIRR', 'E-RR', 'Ag-AIRR', 'RO', 'ED-RR'];

/** How often a precedent is cited by its number alone. */
const SHORT = 0.7;

/**
 * Writes a made-up precedent as the court `tribunal` cites its own, older than day `day`:
 * `REsp 1.234.567/SP, rel. Min. Fulano, Terceira Turma, DJe 12/03/2019`.
 */
export function citePrecedent(out: TextBuffer, rng: Rng, tribunal: CodigoTribunal, day: number): void {
  const [opening, closing] = frame(rng, tribunal, day);
  if (rng.chance(SHORT)) return out.write(opening.slice(0, opening.indexOf(', rel. ')));
  out.write(opening);
  out.put(SURNAMES.draw(rng));
  out.write(closing);
  out.put(writtenDate(rng, day));
}

/** The texts before the judge's surname, and between it and the date. */
function frame(rng: Rng, tribunal: CodigoTribunal, day: number): readonly [opening: string, closing: string] {
  switch (tribunal) {
    case 'stj':
      return [
        `${rng.pick(STJ_CLASSES)} ${grouped(rng.between(400_000, 2_200_000))}/${rng.pick(STATE_CODES)}, rel. Min. `,
        `, ${rng.pick(ORDINALS)} Turma, DJe `,
      ];
    case 'stf':
      return [
        `${rng.pick(STF_CLASSES)} ${grouped(rng.between(1000, 1_400_000))}, rel. Min. `,
        `, ${rng.pick(STF_BODIES)}, DJe `,
      ];
    case 'tst':
    case 'trt3':
      return [
        `${rng.pick(TST_CLASSES)}-${caseNumber(rng, tribunal, yearOf(day) - 1)}, rel. `,
        `, ${rng.between(1, 8)}ª Turma, DEJT `,
      ];
    case 'tjmg':
      return [
        `TJMG, Processo n. 1.0000.${rng.between(10, 25)}.${grouped(rng.between(100_000, 700_000))}/001, rel. Des. `,
        `, ${rng.between(1, 21)}ª Câmara Cível, j. `,
      ];
    case 'tnu':
      return [`PEDILEF ${caseNumber(rng, tribunal, yearOf(day) - 1)}, rel. Juiz Federal `, ', j. '];
    case 'trf6':
      return [
        `TRF6, AC ${caseNumber(rng, tribunal, yearOf(day))}, rel. Des. Federal `,
        `, ${rng.between(1, 4)}ª Turma, PJe `,
      ];
  }
}
