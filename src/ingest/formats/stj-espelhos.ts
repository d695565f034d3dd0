import { existsInCalendar } from '../../contract/calendar.ts';
import { oneLine, unwrapped, withoutHeading, writtenDay } from '../normalise.ts';
import type { Formato, Mapped, Source } from './format.ts';
import { toItem } from './format.ts';
import { pythonList } from '../python-list.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { cameAs, readRecords } from './json-records.ts';
import { Damaged } from '../damaged.ts';
import { decoded } from '../encoding.ts';

/** The STJ's open data: "espelhos de acórdãos", a JSON array a month and body, and one zip of all before May 2022. */
export const stjEspelhos: Formato = {
  name: 'stj-espelhos',
  about: 'the STJ’s open data: arrays of espelhos, or the zip',
  bases: ['stj'],
  recognises: (start) =>
    /^\s*\[\s*\]\s*$/u.test(start) ||
    (/^\s*\[?\s*\{/u.test(start) &&
      /"(?:numeroRegistro|siglaClasse|nomeOrgaoJulgador|ministroRelator)"\s*:/u.test(start)),
  isLoadedWhileRead: false,
  changedAt: ({ arquivo }: { arquivo?: unknown }) => dateOfFile([typeof arquivo === 'string' ? arquivo : '']),
  async *read(source) {
    if (await isEmptyMonth(source)) return;
    const arquivo = source.fileNames.find((name) => dateOfFile([name]) !== null) ?? null;
    for await (const record of readRecords(source, { list: '$' })) {
      const { value, number } = record;
      const place = `record ${number}`;
      if (!isObject(value)) throw new Damaged('not an espelho but something else in the array', place);
      yield { place, item: (last) => toItem(() => toRegistro(value, arquivo), last, cameAs(record)) };
    }
  },
};

function toRegistro(espelho: Members, arquivo: string | null): Mapped {
  const fields = new Fields(withLists(espelho));
  const id = fields.line('id');
  const ementa = unwrapped(withoutHeading(fields.prose('ementa')));
  const numero = fields.line('numeroProcesso');
  if (id === null) {
    return ementa === null && numero === null
      ? { leftOut: 'an empty record' }
      : { reject: 'id: missing, so that the decision could not be told from others' };
  }
  const tipo = oneLine(espelho['tipoDeDecisao']);
  if (tipo !== null && !/ac[óo]rd[ãa]o/iu.test(tipo)) return { leftOut: `tipoDeDecisao ${tipo}` };
  fields.drop('tipoDeDecisao');
  const sigla = fields.line('siglaClasse');
  const { chave, formerChave } = keysOf(id);
  return {
    formerChave,
    registro: {
      chave,
      fonte: 'STJ',
      tipo: 'acordao',
      processo: sigla === null || numero === null ? numero : `${sigla} ${numero}`,
      classe: { sigla, descricao: fields.line('descricaoClasse') },
      orgao_julgador: fields.line('nomeOrgaoJulgador'),
      relator: fields.person('ministroRelator'),
      data_julgamento: fields.date('dataDecisao'),
      data_publicacao: fields.date('dataPublicacao'),
      ementa,
      tese: fields.unwrapped('teseJuridica'),
      dispositivo: fields.unwrapped('decisao'),
      legislacao_citada: fields.list('referenciasLegislativas'),
      temas: fields.list('tema'),
      extras: { id_origem: chave, ...fields.rest(KNOWN), ...(arquivo === null ? {} : { arquivo }) },
    },
  };
}

/** Files of some bodies have the ids without the zeros before them, and earlier versions took them for others. */
function keysOf(id: string): { chave: string; formerChave: string | null } {
  if (!/^\d+$/u.test(id)) return { chave: id, formerChave: null };
  const bare = id.replace(/^0+(?=\d)/u, '');
  const chave = bare.padStart(ID_DIGITS, '0');
  return { chave, formerChave: bare === chave ? null : bare };
}

const ID_DIGITS = 9;

/** Files of some bodies have lists as Python prints them. */
function withLists(espelho: Members): Members {
  const lists = KNOWN.flatMap((name) => {
    const value = espelho[name];
    const list = typeof value === 'string' ? pythonList(value) : null;
    return list === null ? [] : [[name, list] as const];
  });
  return { ...espelho, ...Object.fromEntries(lists) };
}

/** Long, and lists of references rather than the decision's text. */
const KNOWN = [
  'jurisprudenciaCitada',
  'notas',
  'informacoesComplementares',
  'termosAuxiliares',
  'acordaosSimilares',
];

/** `20260630.json`, `20220508.zip`: the day up to which the file tells. */
function dateOfFile(names: readonly string[]): string | null {
  for (const name of names) {
    const [, digits] = /^(\d{8})\.(?:json|zip)\b/u.exec(name) ?? [];
    const date = writtenDay(digits);
    if (date !== null && existsInCalendar(date)) return date;
  }
  return null;
}

/** A month without decisions is published as one record of empty fields, with a brace too many after it. */
async function isEmptyMonth(source: Source): Promise<boolean> {
  let text = '';
  for await (const chunk of decoded(source.open(), source.encoding)) {
    text += chunk;
    if (text.length > EMPTY_MONTH_MAX) return false;
  }
  const isEmpty = /"id"\s*:\s*(?:"(?:None)?"|null)/u.test(text);
  return isEmpty && !/"(?:id|ementa|numeroProcesso)"\s*:\s*(?:"(?!(?:None)?")|\d)/u.test(text);
}

const EMPTY_MONTH_MAX = 20_000;
