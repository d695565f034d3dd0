import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { metricsAfterAllAnswers } from './support-all-answers.ts';
import type { Exposition } from './support-metrics.ts';

const ROOT = join(import.meta.dirname, '../..');
let metrics: Exposition;
beforeAll(async () => {
  metrics = await metricsAfterAllAnswers();
});

/** Family names and the labels that their samples have, those apart that the section has spoken of before. */
function families(): string[] {
  return [...metrics.types.keys()].map((family) => {
    const samples = metrics.samples.filter(
      ({ name }) => name.replace(/_(?:bucket|sum|count)$/, '') === family,
    );
    expect(samples.length, family).toBeGreaterThan(0);
    const labels = new Set(samples.flatMap((one) => Object.keys(one.labels)));
    expect(labels.has('base'), family).toBe(family.startsWith('jurisprudencia_base_'));
    const own = [...labels].filter((label) => label !== 'base' && label !== 'le');
    return [family, ...own.toSorted()].join(' ');
  });
}

describe('the README', () => {
  test('has a row for every metric, with its labels, and for none that is not', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const section = readme.slice(readme.indexOf('### Metrics')).split(/\n#+ /)[0] ?? '';
    const rows = [...section.matchAll(/^\| `(\w+)` +\|([^|]*)\|/gm)].map(([, name = '', labels = '']) =>
      [name, ...(labels.match(/\w+/g) ?? []).toSorted()].join(' '),
    );
    expect(rows.toSorted()).toEqual(families().toSorted());
  });
});
