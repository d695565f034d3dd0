import { AUSENTES_LENGTH_MAX, LEITURA_LENGTH_MAX, PROXIMOS_LENGTH_MAX } from '../contract/rotas.ts';
import type { Pedido } from '../query/parameters.ts';
import type { Consulta } from '../query/query.ts';
import type { NearTerm } from '../search/near.ts';
import type { SearchPage } from '../search/page.ts';
import type { Headers } from './answer.ts';

/** The percent-encoded ellipsis, which no word contains: marks an omission. */
const CUT = encodeURIComponent('…');

/** Writes the data that the body has no field for: how the query was read, and which words the bases lack. */
export function writeTermHeaders({ cursor, consulta }: Pedido, page: SearchPage, headers: Headers): void {
  if (cursor !== null) return;
  headers['jurisprudencia-leitura'] = encodedWithin(consulta.leitura, LEITURA_LENGTH_MAX);
  const absent = absentTerms(page.absent, consulta.terms);
  if (absent !== '') headers['jurisprudencia-termos-ausentes'] = absent;
  const near = listWithin(page.proximos?.terms.map(nearTerm) ?? [], PROXIMOS_LENGTH_MAX);
  if (near !== '') headers['jurisprudencia-termos-proximos'] = near;
  const isFound = page.proximos?.isFound === true && !near.endsWith(CUT);
  const avisos = [...consulta.avisos, ...(isFound ? ['PROXIMOS_ACHAM'] : [])];
  if (avisos.length > 0) headers['jurisprudencia-avisos'] = avisos.join(', ');
}

function nearTerm({ absent, near }: NearTerm): string {
  const found = near.map(({ text, docs }) => `${encodeURIComponent(text)}:${docs}`);
  return `${encodeURIComponent(absent)}=${found.join(';')}`;
}

/** A header that is too long would be lost, and the answer with it. */
function encodedWithin(text: string, lengthMax: number): string {
  const whole = encodeURIComponent(text);
  if (whole.length <= lengthMax) return whole;
  let start = '';
  for (const character of text) {
    const next = start + encodeURIComponent(character);
    if (next.length + CUT.length > lengthMax) break;
    start = next;
  }
  return start + CUT;
}

/** The words as the bases read them, without accents and in lower case, a prefix with its `*`; percent-encoded. */
function absentTerms(absent: readonly number[], terms: Consulta['terms']): string {
  const found = terms
    .filter((_, at) => absent.includes(at))
    .map((one) => (one.prefix ? `${one.token}*` : one.token));
  return listWithin(found.map(encodeURIComponent), AUSENTES_LENGTH_MAX);
}

/** A comma-separated list of as many as fit. */
function listWithin(encoded: readonly string[], lengthMax: number): string {
  const whole = encoded.join(',');
  if (whole.length <= lengthMax) return whole;
  const end = whole.lastIndexOf(',', lengthMax - CUT.length - 1);
  return whole.slice(0, end + 1) + CUT;
}
