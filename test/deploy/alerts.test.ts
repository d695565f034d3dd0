import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasNeeded } from '../support/needed.ts';
import { temporaryFolder } from '../support/service.ts';

const FOLDER = join(import.meta.dirname, '../../deploy/prometheus');
const RULES = 'alerts.yml';
const CASES = 'alerts.test.yml';

interface Rules {
  groups: { rules: { alert: string; expr: string; for?: string }[] }[];
}
interface Cases {
  tests: { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
}
const rules = Bun.YAML.parse(readFileSync(join(FOLDER, RULES), 'utf8')) as Rules;
const cases = Bun.YAML.parse(readFileSync(join(FOLDER, CASES), 'utf8')) as Cases;
const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));

describe('the cases of the alert rules', () => {
  test('make each alert fire in one case and stay silent in another', () => {
    const tested = cases.tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const where = (fires: boolean) =>
      tested.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
    expect(where(true).toSorted()).toEqual(alerts.toSorted());
    expect(where(false).toSorted()).toEqual(alerts.toSorted());
  });

  test('have names that describe the event', () => {
    for (const { name, alert_rule_test } of cases.tests) {
      const [first] = alert_rule_test;
      const does = (first?.exp_alerts.length ?? 0) > 0 ? 'fires' : 'is quiet';
      expect(name).toMatch(new RegExp(`^${first?.alertname} ${does}: .{10,}$`, 'u'));
    }
  });
});

/** Debian's package `prometheus` has it; CI installs that. */
const promtool = Bun.which('promtool');

describe.skipIf(!hasNeeded('promtool', promtool !== null))('the alert rules by promtool', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    copyFileSync(join(FOLDER, CASES), join(folder, CASES));
  });
  const run = (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([promtool ?? '', ...args]);
    return { exitCode, text: stdout.toString() + stderr.toString() };
  };
  /** Its output for the cases if every rule has another condition. */
  const spoiled = (expr: string) => {
    const all = structuredClone(rules);
    for (const group of all.groups) {
      for (const rule of group.rules) {
        rule.expr = expr;
        delete rule.for;
      }
    }
    // YAML holds JSON.
    writeFileSync(join(folder, RULES), JSON.stringify(all));
    return run('test', 'rules', join(folder, CASES));
  };
  const failed = (text: string) => [
    ...new Set([...text.matchAll(/alertname: (\w+)/gu)].map(([, name]) => name ?? '')),
  ];

  test('are accepted by Prometheus', () => {
    const { exitCode, text } = run('check', 'rules', join(FOLDER, RULES));
    expect(text).toContain(`SUCCESS: ${alerts.length} rules found`);
    expect(exitCode).toBe(0);
  });

  test('fire and stay silent as their cases expect, with those labels and texts', () => {
    expect(run('test', 'rules', join(FOLDER, CASES))).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['never fire', 'vector(0) > 1'],
    ['always fire', 'vector(1)'],
  ])('fail their cases if they %s', (_, expr) => {
    const { exitCode, text } = spoiled(expr);
    expect(exitCode).not.toBe(0);
    expect(failed(text).toSorted()).toEqual(alerts.toSorted());
  });
});
