import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { JurisprudenciaError } from '../../client/error.ts';
import { PlainError } from '../../process/fail.ts';

export interface ServiceAccess {
  readonly url: string;
  /** Only one that stands beside the address. */
  readonly key: string | undefined;
  /** Where the address is without a key, although the other place has one; empty if a key is missing everywhere. */
  readonly keyElsewhere: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
const URL_DEFAULT = 'http://127.0.0.1:3000';

/**
 * The address of the service and the key for it: `JURISPRUDENCIA_URL` and `JURISPRUDENCIA_KEY`, or `url` and `key` in
 * `jurisprudencia/client.toml` of the user's configuration folder. A key goes only to the address beside it: whoever can set one
 * of the variables, for instance in a folder's `.env`, must not get the key of the file. @throws PlainError for an invalid file.
 */
export function serviceAccess(env: Environment = process.env): ServiceAccess {
  const folder = filled(env['XDG_CONFIG_HOME']) ?? join(filled(env['HOME']) ?? homedir(), '.config');
  const file = join(folder, 'jurisprudencia/client.toml');
  const stored = readFile(file);
  const given = { url: filled(env['JURISPRUDENCIA_URL']), key: filled(env['JURISPRUDENCIA_KEY']) };
  const isGiven = given.url !== undefined || given.key !== undefined;
  const { url = URL_DEFAULT, key } = isGiven ? given : stored;
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) {
    throw new PlainError(`o endereço do serviço tem de começar por http:// ou https://, e é ${url}`);
  }
  if (given.key !== undefined && given.url === undefined && stored['url'] !== undefined) {
    throw new PlainError(
      `a chave está em JURISPRUDENCIA_KEY e o endereço em ${file}; ponha os dois no mesmo lugar`,
    );
  }
  const isElsewhere = key === undefined && stored['key'] !== undefined;
  return { url, key, keyElsewhere: isElsewhere ? file : '' };
}

/** Adds the setting that corrects an error; other errors pass unchanged. */
export function withMend(error: unknown, { key, keyElsewhere }: ServiceAccess): unknown {
  if (!(error instanceof JurisprudenciaError)) return error;
  const { message, status, codigo } = error;
  if (status === 401 && key === undefined) {
    const mend =
      keyElsewhere === ''
        ? 'falta a chave; ponha-a em JURISPRUDENCIA_KEY, ou como key em client.toml'
        : `falta a chave: a de ${keyElsewhere} só vai ao endereço que está com ela; ponha-a em JURISPRUDENCIA_KEY`;
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
