import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pageText } from '../docs/page.ts';
import { hasNeeded } from '../support/needed.ts';
import { temporaryFolder } from '../support/service.ts';
import { swapped } from '../support/swapped.ts';

/** A folder with kubeconform, and in `api` the description of Kubernetes's API that client-go carries. */
const TOOLS = process.env['KUBECONFORM'] ?? '';
const MANIFEST = 'deploy/kubernetes/replicas.yaml';

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

/** Writes a schema for each kind, as kubeconform looks for it, that refuses unknown fields. @returns the folder. */
function writeSchemas(): string {
  const folder = temporaryFolder();
  const api = join(TOOLS, 'api');
  for (const name of readdirSync(api)) {
    const { components } = JSON.parse(readFileSync(join(api, name), 'utf8')) as {
      components: { schemas: Record<string, Schema> };
    };
    for (const schema of Object.values(components.schemas))
      if (schema.properties !== undefined) schema.additionalProperties = false;
    for (const [id, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries(components.schemas))
      for (const { group, version, kind } of kinds.length === 1 ? kinds : []) {
        const file = [kind.toLowerCase(), ...(group === '' ? [] : [group.split('.')[0]]), version].join('-');
        const schema = { $ref: `#/components/schemas/${id}`, components };
        writeFileSync(join(folder, `${file}.json`), JSON.stringify(schema));
      }
  }
  return folder;
}

describe.skipIf(!hasNeeded('kubeconform', existsSync(join(TOOLS, 'kubeconform'))))('the manifest', () => {
  let schemas: string;
  beforeAll(() => {
    schemas = join(writeSchemas(), '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  });
  const conform = (text: string) => {
    const command = [join(TOOLS, 'kubeconform'), '-strict', '-summary', '-schema-location', schemas, '-'];
    const { exitCode, stdout } = Bun.spawnSync(command, { stdin: Buffer.from(text) });
    return { exitCode, said: stdout.toString() };
  };

  test('conforms to Kubernetes’s own schemas', () => {
    const { exitCode, said } = conform(pageText(MANIFEST));
    expect(said).toContain('Valid: 3, Invalid: 0, Errors: 0, Skipped: 0');
    expect(exitCode).toBe(0);
  });

  test.each([
    ['an unknown field', 'terminationGracePeriodSeconds:', 'terminationGraceSeconds:', /not allowed/u],
    ['an unknown field deep in it', 'failureThreshold: 60', 'failuresMax: 60', /not allowed/u],
    ['a value of another type', 'replicas: 2', 'replicas: two', /got string, want integer/u],
    ['a list for a quantity', 'storage: 50Gi', 'storage: [50Gi]', /oneOf/u],
    ['a field twice', 'serviceName:', 'replicas: 3\n  serviceName:', /already (?:defined|set)/u],
  ])('with %s is refused', (_, from, to, reason) => {
    const { exitCode, said } = conform(swapped(pageText(MANIFEST), [[from, to]]));
    expect(exitCode).toBe(1);
    expect(said).toMatch(reason);
  });
});
