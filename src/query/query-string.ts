import distanceBetween from 'leven';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { isOneOf, PARAMETROS, type Parametro } from '../contract/vocabulary.ts';
import { LISTAS, wordIn } from './words.ts';

export type RawParameters = Partial<Record<Parametro, string>>;

/**
 * Parses a raw query string. The framework's parser keeps the last value of a repeated parameter and passes invalid
 * percent-encoding through; both would run a search that the client did not request.
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
  /** Null if the encoding is invalid. */
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
 * A correction for a repeated parameter. For a list it joins the distinct values if all are valid, so the text is never
 * longer than the enumeration.
 */
function onceInstead(name: Parametro, values: readonly (string | null)[]): string {
  const words = LISTAS[name];
  if (words === undefined) return 'aceita um só valor';
  const joined = values.flatMap((value) => (value ?? '').split(',')).map((text) => wordIn(words, text));
  if (joined.includes(undefined)) return 'envie-o uma só vez, com os valores separados por vírgula';
  return `envie ${name}=${[...new Set(joined)].join(',')}`;
}

/**
 * Decodes `+` as a space and `%XX` as UTF-8; null if that is not valid UTF-8. The server has replaced invalid raw bytes by
 * U+FFFD, encoded.
 */
function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
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
