import type { CodigoTribunal } from '../../contract/enums.ts';

type Quantile = readonly [share: number, characters: number];

/**
 * Quantiles of the ementa's length in characters. The mean, median, 90th and 99th percentile are
 * those measured on published ementas (design section 3); the rest interpolate so that the mean fits.
 */
// prettier-ignore
const SUPERIOR: readonly Quantile[] = [
  [0, 120], [0.1, 600], [0.25, 1050], [0.5, 1833], [0.75, 2500], [0.9, 3665], [0.97, 5600], [0.99, 8477], [1, 11_000],
];
// prettier-ignore
const LABOUR: readonly Quantile[] = [
  [0, 100], [0.1, 450], [0.25, 820], [0.5, 1456], [0.75, 1880], [0.9, 2405], [0.97, 3100], [0.99, 4345], [1, 6200],
];
/** tjmg cuts long ementas at the source, so its upper quantiles stand at the cap. */
// prettier-ignore
const STATE: readonly Quantile[] = [
  [0, 150], [0.1, 480], [0.25, 700], [0.5, 1157], [0.75, 2550], [0.88, 3860], [0.9, 3875], [0.99, 3923], [1, 3960],
];
// prettier-ignore
const FEDERAL: readonly Quantile[] = [
  [0, 75], [0.1, 230], [0.25, 370], [0.5, 595], [0.75, 910], [0.9, 1473], [0.97, 2200], [0.99, 4963], [1, 6800],
];

const QUANTILES: Record<CodigoTribunal, readonly Quantile[]> = {
  tst: LABOUR,
  trt3: LABOUR,
  stf: SUPERIOR,
  stj: SUPERIOR,
  tjmg: STATE,
  tnu: FEDERAL,
  trf6: FEDERAL,
};

/** tjmg ementas from this length on, in characters, are cut at the source. */
export const TJMG_CAP_MIN = 3800;

/** The length in characters at a share `unit` (0 to 1) of a court's ementas: an inverse CDF. */
export function ementaLength(tribunal: CodigoTribunal, unit: number): number {
  let [lowShare, lowLength]: Quantile = [0, 0];
  for (const [share, length] of QUANTILES[tribunal]) {
    if (unit < share) {
      return Math.round(lowLength + ((unit - lowShare) / (share - lowShare)) * (length - lowLength));
    }
    [lowShare, lowLength] = [share, length];
  }
  return lowLength;
}
