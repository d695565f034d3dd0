import type { CoverageActor } from '../search/coverage.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Registry } from './data/registry.ts';

/** The coverage of published bases as their manifests have it, and of the others as it was calculated here. */
export function coverageOf(
  registry: Pick<Registry, 'manifest' | 'onChange'>,
  calculated: Pick<CoverageActor, 'current' | 'years'>,
): Pick<CoverageActor, 'current' | 'years'> {
  let made: Cobertura | null = null;
  let madeOf: Cobertura | null = null;
  registry.onChange(() => {
    made = null;
  });
  return {
    /** A new object whenever it changes. */
    get current() {
      const { current } = calculated;
      if (made !== null && madeOf === current) return made;
      madeOf = current;
      const bases = current.bases.map((one) => registry.manifest(one.base)?.coverage ?? one);
      return (made = { ...current, bases });
    },
    get years() {
      return calculated.years;
    },
  };
}
