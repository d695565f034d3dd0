import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

export function serviceVersion(): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
}
