import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { JurisprudenciaError } from '../../client/error.ts';
import { PlainError } from '../../process/fail.ts';

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
  const url = filled(env['JURISPRUDENCIA_URL']) ?? stored['url'] ?? URL_DEFAULT;
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) {
    throw new PlainError(`o endereço do serviço tem de começar por http:// ou https://, e é ${url}`);
  }
  return { url, key: filled(env['JURISPRUDENCIA_KEY']) ?? stored['key'] };
}

/** Adds the setting that corrects an error; other errors pass unchanged. */
export function withMend(error: unknown, { key }: ServiceAccess): unknown {
  if (!(error instanceof JurisprudenciaError)) return error;
  const { message, status, codigo } = error;
  if (status === 401 && key === undefined) {
    const mend = 'falta a chave; ponha-a em JURISPRUDENCIA_KEY, ou como key em client.toml';
    return new JurisprudenciaError(mend, error);
  }
  const isPlace = status === null && codigo === null;
  return isPlace ? new JurisprudenciaError(`${message} (JURISPRUDENCIA_URL)`, error) : error;
}

/** An assistant's settings give an empty text for an empty field. */
function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
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
