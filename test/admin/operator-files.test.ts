import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { metricsAfterAllAnswers } from './support-all-answers.ts';
import type { Exposition } from './support-metrics.ts';
import { faultsOf, metricsIn } from './support-promql.ts';

const ROOT = join(import.meta.dirname, '../..');
let metrics: Exposition;
beforeAll(async () => {
  metrics = await metricsAfterAllAnswers();
});

/** Family names and the labels that their samples have, those apart that the section has spoken of before. */
function families(): string[] {
  return [...metrics.types.keys()].map((family) => {
    const isOf = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '') === family;
    const samples = metrics.samples.filter(({ name }) => isOf(name));
    expect(samples.length, family).toBeGreaterThan(0);
    const labels = new Set(samples.flatMap((one) => Object.keys(one.labels)));
    expect(labels.has('base'), family).toBe(family.startsWith('jurisprudencia_base_'));
    const own = [...labels].filter((label) => label !== 'base' && label !== 'le');
    return [family, ...own.toSorted()].join(' ');
  });
}

test('the page on observability names every metric with its labels, and no other', () => {
  const page = readFileSync(join(ROOT, 'docs/observability.md'), 'utf8');
  const section = page.slice(page.indexOf('## Metrics')).split(/\n#+ /)[0] ?? '';
  const rows = [...section.matchAll(/^- `(\w+)`(?: \(([^)]*)\))?:/gm)].map(([, name = '', labels = '']) =>
    [name, ...(labels.match(/\w+/g) ?? []).toSorted()].join(' '),
  );
  expect(rows.toSorted()).toEqual(families().toSorted());
});

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { type: string; uid: string };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}
interface Dashboard {
  title: string;
  uid: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
  annotations: { list: { target: { expr: string } }[] };
}
const read = (name: string) => readFileSync(join(ROOT, 'deploy/prometheus', name), 'utf8');

describe('the Grafana dashboard', () => {
  const dashboard = JSON.parse(read('grafana.json')) as Dashboard;
  const shown = dashboard.panels.filter(({ type }) => type !== 'row');
  const targets = shown.flatMap(({ title, targets: own = [] }) => own.map((one) => ({ title, ...one })));

  test('can be imported into Grafana 10 and later, with a choice of the Prometheus source', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(38);
    expect(dashboard.uid).toMatch(/^[\w-]{1,40}$/);
    const source = { name: 'datasource', type: 'datasource', query: 'prometheus' };
    expect(dashboard.templating.list[0]).toMatchObject(source);
    for (const { title, datasource } of shown) {
      expect([title, datasource]).toEqual([title, { type: 'prometheus', uid: '${datasource}' }]);
    }
    for (const { title, datasource } of targets)
      expect([title, datasource.uid]).toEqual([title, '${datasource}']);
  });

  test('queries existing metrics, labels and values alone', () => {
    const expressions = [
      ...targets.map(({ expr }) => expr),
      ...dashboard.annotations.list.map(({ target }) => target.expr),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap((expression) => faultsOf(expression, metrics))).toEqual([]);
  });

  test('names series by labels that their queries keep', () => {
    for (const { expr, legendFormat } of targets) {
      const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
      const kept = expr.includes(' by (')
        ? (/ by \(([^)]*)\)/.exec(expr)?.[1] ?? '').split(', ')
        : ['instance'];
      expect(kept, expr).toEqual(expect.arrayContaining(labels));
    }
  });

  test('fills its variables from existing metrics and labels, and uses no other variable', () => {
    const queries = dashboard.templating.list.flatMap(({ type, query }) =>
      type === 'query' && typeof query === 'object' ? [query.query] : [],
    );
    for (const query of queries) {
      const [, selector = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
      expect(faultsOf(selector, metrics)).toEqual([]);
      const [metric = ''] = metricsIn(selector);
      expect([...metrics.labelsOf(metric), 'instance']).toContain(label);
    }
    const names = new Set(dashboard.templating.list.map(({ name }) => name));
    const used = [...read('grafana.json').matchAll(/\$\{?([a-z]\w*)\}?/g)].map(([, name]) => name ?? '');
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });

  test('shows every metric with the service’s prefix', () => {
    const asked = new Set(
      targets.flatMap(({ expr }) => metricsIn(expr)).map((name) => name.replace(/_bucket$/, '')),
    );
    expect([...metrics.types.keys()].filter((name) => !asked.has(name))).toEqual([]);
  });
});

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

describe('the alert rules', () => {
  const { groups } = Bun.YAML.parse(read('alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);

  test('query existing metrics, labels and values alone', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.flatMap(({ expr }) => faultsOf(expr, metrics))).toEqual([]);
  });

  test('each have a unique name, a severity, and text with existing labels alone', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, expr, labels, annotations } of rules) {
      expect(alert).toMatch(/^Jurisprudencia[A-Z]\w+$/);
      expect(['critical', 'warning']).toContain(labels.severity);
      expect([annotations.summary, annotations.description].every((text) => text.length > 10)).toBe(true);
      const used = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      const grouped = / by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ');
      const all = metricsIn(expr).flatMap((name) => Array.from(metrics.labelsOf(name)));
      expect(grouped ?? [...all, 'instance'], alert).toEqual(expect.arrayContaining(used));
    }
  });
});

test('the cases of the alert rules use existing metrics and labels alone', () => {
  const { tests } = Bun.YAML.parse(read('alerts.test.yml')) as {
    tests: { input_series: { series: string }[] }[];
  };
  const series = tests.flatMap(({ input_series }) => input_series.map((one) => one.series));
  const own = series.filter((one) => !/^up\{|other:9100/u.test(one));
  expect(own.length).toBeGreaterThan(30);
  for (const one of own) {
    const [metric = ''] = metricsIn(one);
    expect(metrics.names.has(metric), metric).toBe(true);
    const labels = [...one.matchAll(/(\w+)="/gu)].map(([, label]) => label ?? '');
    expect([...metrics.labelsOf(metric), 'instance'], one).toEqual(expect.arrayContaining(labels));
  }
});
