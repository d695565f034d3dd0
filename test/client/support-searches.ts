import { JurisprudenciaError, type Jurisprudencia } from '../../src/client/client.ts';
import type { Line } from '../support/service.ts';

const TEXTS = [
  'Dano moral. Inscrição indevida.',
  'Danos morais e materiais. Banco.',
  'Prescrição da pretensão. Tutela de urgência.',
  'Horas extras. Art. 7º da Constituição.',
];
const lines = (base: string): Line[] =>
  Array.from({ length: 12 }, (_, at) => ({
    tipo: 'acordao',
    ementa: `${TEXTS[at % 4] ?? ''} ${base}, caso ${at}.`,
    data_julgamento: '2024-05-02',
    citacao: `${base.toUpperCase()}, julgado ${at}, DJe 9.5.2024`,
  }));

/** More than one page of three bases. */
export const DECISIONS = { stj: lines('stj'), tst: lines('tst'), tjmg: lines('tjmg') };

/** Loose words, phrases, prefixes, nothing found, refused: each client has to give the same for them. */
export const SEARCHES = [
  'dano moral',
  'danos morais',
  '"dano moral" OR "danos morais"',
  'prescri* AND pretensão',
  'art. 7º',
  'NEAR(tutela urgência, 5)',
  'ementa : banco*',
  'inscrição NOT banco',
  'usucapião',
  '"aspas abertas',
];

/** What a search found, or how it was refused. */
type Found = { readonly ids: readonly string[] } | { readonly codigo: string | null };

/** By our own client, over all pages. */
export async function found(api: Jurisprudencia, q: string, tribunal?: string): Promise<Found> {
  try {
    return { ids: await Array.fromAsync(api.itens({ q, tribunal, limite: 5 }), ({ id }) => id) };
  } catch (error) {
    return { codigo: error instanceof JurisprudenciaError ? error.codigo : String(error) };
  }
}
