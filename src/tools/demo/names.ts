import { CODIGOS_TRIBUNAL, type CodigoTribunal } from '../../contract/enums.ts';
import { SURNAMES } from './coinage.ts';
import { COURTS } from './courts.ts';
import { GIVEN_NAMES } from './roots.ts';
import { Rng } from './rng.ts';

/** Fixed: the judges are part of the data, so every run has the same ones. */
const NAMES_SEED = 20_041_230;

/** The made-up judges of each court, as its source writes them. */
export const RELATORES: Readonly<Record<CodigoTribunal, readonly string[]>> = {
  tst: judges('tst'),
  stf: judges('stf'),
  stj: judges('stj'),
  tnu: judges('tnu'),
  trf6: judges('trf6'),
  trt3: judges('trt3'),
  tjmg: judges('tjmg'),
};

function judges(tribunal: CodigoTribunal): readonly string[] {
  const { relatores, nameStyle } = COURTS[tribunal];
  const rng = new Rng(NAMES_SEED, CODIGOS_TRIBUNAL.indexOf(tribunal));
  const names = new Set<string>();
  while (names.size < relatores) {
    const surnames = Array.from({ length: rng.between(1, 2) }, () => SURNAMES.drawText(rng));
    names.add(nameStyle([rng.pick(GIVEN_NAMES), ...surnames].join(' ')));
  }
  return [...names];
}
