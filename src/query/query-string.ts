import distanceBetween from 'leven';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { isOneOf, PARAMETROS, type Parametro } from '../contract/vocabulary.ts';
import { LISTAS, wordIn } from './words.ts';

export type RawParameters = Partial<Record<Parametro, string>>;

/**
 * Reads a raw query string: the framework's own reading keeps the last of a repeated parameter and takes
 * broken percent-encoding as it is, and both would search for something else than was asked.
 */
export function readQueryString(raw: string): RawParameters | Recusa {
  const found: RawParameters = {};
  const pairs = pairsOf(raw);
  for (const { name, value } of pairs) {
    if (name === null) return invalid('há um nome de parâmetro com % malformado; codifique-o em UTF-8');
    if (!isOneOf(PARAMETROS, name)) return invalid(`o parâmetro ${shown(name)} não existe; ${nearest(name)}`);
    if (value === null) return invalid(`${name}: codificação % inválida; use UTF-8 (ç é %C3%A7)`);
    if (found[name] !== undefined) {
      const values = pairs.flatMap((pair) => (pair.name === name ? [pair.value] : []));
      return invalid(`${name}: repetido; ${onceInstead(name, values)}`);
    }
    if (value.trim() === '' && name !== 'q') return invalid(`${name}: vazio; dê um valor ou retire-o`);
    found[name] = value;
  }
  return found;
}

interface Pair {
  /** Null where its encoding is broken. */
  readonly name: string | null;
  readonly value: string | null;
}

function pairsOf(raw: string): Pair[] {
  const pairs = raw.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    return {
      name: decode(equals < 0 ? pair : pair.slice(0, equals)),
      value: decode(equals < 0 ? '' : pair.slice(equals + 1)),
    };
  });
}

/**
 * What to send instead of a parameter that came more than once: of a list its values joined, each once, where all of
 * them are values of it. So the text is no longer than the enumeration.
 */
function onceInstead(name: Parametro, values: readonly (string | null)[]): string {
  const words = LISTAS[name];
  if (words === undefined) return 'aceita um só valor; envie-o uma só vez';
  const joined = values.flatMap((value) => (value ?? '').split(',')).map((text) => wordIn(words, text));
  if (joined.includes(undefined)) return 'envie-o uma só vez, com os valores separados por vírgula';
  return `envie ${name}=${[...new Set(joined)].join(',')}`;
}

/**
 * `+` is a space and `%XX` must be well-formed UTF-8; null where it is not. Raw bytes that are not UTF-8 reach
 * us as the replacement character, which nobody types.
 */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\ufffd') ? null : decoded;
  } catch {
    return null;
  }
}

function shown(name: string): string {
  const start = [...name].slice(0, 30).join('');
  return start === name ? `"${name}"` : `"${start}…"`;
}

function nearest(name: string): string {
  const best = PARAMETROS.map((known) => ({
    known,
    distance: distanceBetween(name.toLowerCase(), known),
  })).toSorted((a, b) => a.distance - b.distance)[0];
  if (best !== undefined && best.distance <= 2) return `o mais próximo é ${best.known}`;
  return `os aceitos são ${PARAMETROS.join(', ')}`;
}

function invalid(erro: string): Recusa {
  return recusa('PARAMETRO_INVALIDO', erro);
}
