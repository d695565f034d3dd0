import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ParametrosSchema } from '../../contract/parametros.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { collectSchemas } from '../../openapi/schemas.ts';
import { operatorCommand } from '../../process/command.ts';
import { PlainError, runPlainly } from '../../process/fail.ts';
import { visible } from '../../process/visible.ts';
import type { Schema } from '../../openapi/model.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'src/client');

await operatorCommand(
  'client',
  'Write the TypeScript client as plain JavaScript with its types: a package without dependencies.',
)
  .option('--out <folder>', 'where to write it', join(ROOT, 'dist'))
  .action(({ out }: { out: string }) => runPlainly('client', () => build(out)))
  .parseAsync();

async function build(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { success, logs } = await Bun.build({ entrypoints: [join(CLIENT, 'client.ts')], outdir: out });
  if (!success) throw new PlainError(logs.map(({ message }) => message).join('\n'));
  declareTypes(out);
  const { version, license } = readPackage();
  const exports = { './client': { types: './client.d.ts', default: './client.js' } };
  const description = { name: 'jurisprudencia', version, license, type: 'module', exports };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
  const folder = resolve(out);
  console.log(visible(`jurisprudencia/client ${version} is in ${folder}`));
  console.log(visible(`In a project of your own: npm install '${folder}'`));
}

/** Writes the compiler's declarations, with generated ones for the contract's types to avoid the schema library. */
function declareTypes(out: string): void {
  const folder = join(out, 'types');
  // prettier-ignore
  const options = [
    '--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions', '--strict',
    '--target', 'es2023', '--module', 'preserve', '--types', 'bun-types', '--skipLibCheck',
    '--rootDir', join(ROOT, 'src'), '--outDir', folder,
  ];
  const command = [process.execPath, 'x', 'tsc', ...options, join(CLIENT, 'client.ts')];
  const run = Bun.spawnSync(command, { cwd: ROOT });
  if (!run.success) throw new PlainError(run.stdout.toString() + run.stderr.toString());
  for (const name of readdirSync(join(folder, 'client')).filter((one) => one !== 'types.d.ts')) {
    const text = readFileSync(join(folder, 'client', name), 'utf8');
    writeFileSync(join(out, name), text.replaceAll(/(from '\.\/[^']+)\.ts'/gu, "$1.js'"));
  }
  rmSync(folder, { recursive: true });
  const named = { Parametros: { ...ParametrosSchema, title: 'Parametros' } };
  const schemas = { ...openApiDocument().components.schemas, ...collectSchemas(named).schemas };
  writeFileSync(join(out, 'types.d.ts'), typesText(schemas));
}

function readPackage(): { version: string; license: string } {
  // Our own file.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; license: string };
}

/** The parts of JSON Schema that the contract uses. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly description?: string;
}

/** Named schemas as TypeScript declarations, so that the client's types do not need the schema library. */
function typesText(schemas: Readonly<Record<string, Schema>>): string {
  const types = Object.entries(schemas).map(([name, schema]: [string, Shape]) => {
    return `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`;
  });
  return types.join('\n');
}

function typeOf(shape: Shape): string {
  if (shape.$ref !== undefined) return shape.$ref.slice(shape.$ref.lastIndexOf('/') + 1);
  if (shape.enum !== undefined) return shape.enum.map((word) => `'${word}'`).join(' | ');
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(' | ');
  if (shape.items !== undefined) return `(${typeOf(shape.items)})[]`;
  if (shape.type === 'integer') return 'number';
  return shape.type === 'object' ? objectOf(shape) : String(shape.type);
}

function objectOf({ properties = {}, required = [], additionalProperties }: Shape): string {
  if (additionalProperties === true) return '{ [name: string]: unknown }';
  const fields = Object.entries(properties).map(
    ([name, field]) => `${comment(field)}${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  return `{\n${fields.join('\n')}\n}`;
}

function comment({ description }: Shape): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}
