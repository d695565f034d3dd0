import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly options?: unknown;
  readonly fieldConfig?: { readonly defaults: { readonly custom?: unknown } };
}
const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/prometheus/grafana.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
};

/** Where Grafana's schema has the options of a type of panel, and the part of its field configuration that is its own. */
const PANELS: Readonly<Record<string, { readonly module: string; readonly hasFields: boolean }>> = {
  stat: { module: 'stat/panelcfg/x/StatPanelCfg_types.gen', hasFields: false },
  timeseries: { module: 'timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen', hasFields: true },
  'state-timeline': { module: 'statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen', hasFields: true },
};

/** The schema's types as JSON has them: an enumeration's values instead of its names. */
const PLAIN = `
type Plain<T> = T extends string ? \`\${T}\`
  : T extends number | boolean | null | undefined ? T
  : T extends readonly (infer One)[] ? Plain<One>[]
  : T extends object ? { [Key in keyof T]: Plain<T[Key]> }
  : T;
`;

/** What an annotation asks of Prometheus is that data source's own, and not in the schema. */
const DASHBOARD = `
type PrometheusAnnotation = AnnotationQuery<DataQuery & { expr: string; interval?: string }> & { titleFormat?: string };
type Checked = Plain<Omit<Dashboard, 'annotations'> & { annotations: { list: PrometheusAnnotation[] } }>;
`;

/** A module that compiles only if the dashboard and each panel's own parts are as Grafana's schema says. */
function moduleOf({ panels, ...rest }: typeof dashboard): string {
  const shown = panels.filter(({ type }) => type !== 'row');
  const types = Object.keys(PANELS);
  const imports = types.map(
    (type, at) =>
      `import type * as Type${at} from '@grafana/schema/dist/esm/raw/composable/${PANELS[type]?.module}';`,
  );
  const checks: string[] = [];
  for (const [index, { type, options, fieldConfig }] of shown.entries()) {
    const own = `Type${types.indexOf(type)}`;
    const custom = fieldConfig?.defaults.custom;
    checks.push(`const options${index}: Plain<${own}.Options> = ${JSON.stringify(options)};`);
    if (custom === undefined || PANELS[type]?.hasFields === false) continue;
    checks.push(`const fields${index}: Plain<${own}.FieldConfig> = ${JSON.stringify(custom)};`);
  }
  return [
    `import type { AnnotationQuery, Dashboard, DataQuery } from '@grafana/schema';`,
    ...imports,
    PLAIN,
    DASHBOARD,
    `export const dashboard: Checked = ${JSON.stringify({ ...rest, panels }, null, 1)};`,
    ...checks.map((check) => `export ${check}`),
  ].join('\n');
}

describe('the Grafana dashboard, checked against the schema that Grafana publishes', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });

  /** What the compiler says of it, a line a fault. */
  function faults(of: typeof dashboard): string {
    writeFileSync(join(folder, 'dashboard.ts'), moduleOf(of));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--types', ''];
    const command = [
      process.execPath,
      'x',
      'tsc',
      ...options,
      '--moduleResolution',
      'bundler',
      'dashboard.ts',
    ];
    return Bun.spawnSync(command, { cwd: folder }).stdout.toString();
  }

  test('has panels of known types only', () => {
    const types = new Set(dashboard.panels.map(({ type }) => type));
    expect([...types].toSorted()).toEqual(['row', ...Object.keys(PANELS)].toSorted());
  });

  test('has every required field of the schema, and no other', () => {
    expect(faults(dashboard)).toBe('');
  });

  test.each<[string, (text: string) => string]>([
    ['a field that there is not', (text) => text.replace('"graphTooltip":1', '"graphTooltips":1')],
    [
      'a value that an enumeration has not',
      (text) => text.replace('"colorMode":"value"', '"colorMode":"val"'),
    ],
    ['a number for a text', (text) => text.replace('"schemaVersion":39', '"schemaVersion":"39"')],
  ])('fails the schema with %s', (_, spoil) => {
    const text = JSON.stringify(dashboard);
    const spoiled = spoil(text);
    expect(spoiled).not.toBe(text);
    expect(faults(JSON.parse(spoiled) as typeof dashboard)).toMatch(/error TS/u);
  });
});
