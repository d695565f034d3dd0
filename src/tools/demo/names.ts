import { CODIGOS_TRIBUNAL, type CodigoTribunal } from '../../contract/enums.ts';
import { GIVEN_NAMES, SURNAMES } from './coinage.ts';
import { COURTS } from './courts.ts';
import { Rng } from './rng.ts';

/** A fixed seed, so that every run has the same judges. */
const NAMES_SEED = 20_041_230;

/** The made-up judges of each court, as its source writes them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the type, all of them
export const JUDGES = Object.fromEntries(
  CODIGOS_TRIBUNAL.map((tribunal) => [tribunal, judges(tribunal)]),
) as Readonly<Record<CodigoTribunal, readonly string[]>>;

function judges(tribunal: CodigoTribunal): readonly string[] {
  const { judges: count, judgeStyle } = COURTS[tribunal];
  const rng = new Rng(NAMES_SEED, CODIGOS_TRIBUNAL.indexOf(tribunal));
  const names = new Set<string>();
  while (names.size < count) {
    const surnames = Array.from({ length: rng.between(1, 2) }, () => SURNAMES.drawText(rng));
    const name = [rng.pick(GIVEN_NAMES), ...surnames].join(' ');
    names.add(judgeStyle.replace('NAME', name.toUpperCase()).replace('Name', name));
  }
  return [...names];
}
