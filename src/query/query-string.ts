import distanceBetween from 'leven';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { isOneOf, PARAMETROS, type Parametro } from '../contract/vocabulary.ts';

export type RawParameters = Partial<Record<Parametro, string>>;

/**
 * Reads a raw query string: the framework's own reading keeps the last of a repeated parameter and takes
 * broken percent-encoding as it is, and both would search for something else than was asked.
 */
export function readQueryString(raw: string): RawParameters | Recusa {
  const found: RawParameters = {};
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null) return invalid('há um nome de parâmetro com % malformado; codifique-o em UTF-8');
    if (!isOneOf(PARAMETROS, name)) return invalid(`o parâmetro ${shown(name)} não existe; ${nearest(name)}`);
    if (value === null) return invalid(`${name}: codificação % inválida; use UTF-8 (ç é %C3%A7)`);
    if (found[name] !== undefined) return invalid(`${name}: repetido; envie-o uma só vez`);
    if (value.trim() === '' && name !== 'q') return invalid(`${name}: vazio; dê um valor ou retire-o`);
    found[name] = value;
  }
  return found;
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
