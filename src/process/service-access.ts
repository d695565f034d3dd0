import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { PlainError } from './fail.ts';

export interface ServiceAccess {
  readonly url: string;
  readonly key: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
const URL_DEFAULT = 'http://127.0.0.1:3000';

/**
 * The address of the service and the key for it: from `JURISPRUDENCIA_URL` and `JURISPRUDENCIA_KEY`, else from `url` and
 * `key` in `jurisprudencia/client.toml` of the user's configuration folder. @throws PlainError for an invalid file.
 */
export function serviceAccess(env: Environment = process.env): ServiceAccess {
  const folder = env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config');
  const stored = readFile(join(folder, 'jurisprudencia/client.toml'));
  const url = env['JURISPRUDENCIA_URL'] ?? stored['url'] ?? URL_DEFAULT;
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) {
    throw new PlainError(`o endereço do serviço não é http nem https: ${url}`);
  }
  return { url, key: env['JURISPRUDENCIA_KEY'] ?? stored['key'] };
}

/** Its messages never show values, because the file contains a key. */
function readFile(path: string): Readonly<Record<string, string | undefined>> {
  if (!existsSync(path)) return {};
  const values = parsed(readFileSync(path, 'utf8'), path);
  for (const [name, value] of Object.entries(values)) {
    if ((name !== 'url' && name !== 'key') || typeof value !== 'string') {
      throw new PlainError(`${path}: só há url e key, cada um um texto; corrija ${name}`);
    }
  }
  // The loop has checked that all values are texts.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return values as Record<string, string>;
}

function parsed(text: string, path: string): object {
  try {
    return parse(text);
  } catch {
    throw new PlainError(`${path} não é TOML válido`);
  }
}
