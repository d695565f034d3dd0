import { existsInCalendar } from '../../contract/calendar.ts';
import { oneLine, unwrapped, withoutHeading, writtenDay } from '../normalise.ts';
import { missing, type Formato, type Mapped, type Source } from './format.ts';
import { pythonList } from '../python-list.ts';
import { Fields, type Members } from './fields.ts';
import { jsonFormat } from './json-format.ts';
import { decoded } from '../encoding.ts';

const espelhos = jsonFormat({
  name: 'stj-espelhos',
  about: 'the STJ’s open data: arrays of espelhos, or the zip',
  bases: ['stj'],
  list: '$',
  noun: 'record',
  own:
    'siglaClasse numeroRegistro nomeOrgaoJulgador ministroRelator descricaoClasse tipoDeDecisao ' +
    'dataDecisao teseJuridica referenciasLegislativas jurisprudenciaCitada informacoesComplementares ' +
    'termosAuxiliares acordaosSimilares classePadronizada numeroDocumento',
  shared: 'id numeroProcesso ementa decisao tema notas dataPublicacao',
  map: toRegistro,
});

/** The STJ's open data, "espelhos de acórdãos": one JSON array for each month and body, and one zip up to May 2022. */
export const stjEspelhos: Formato = {
  ...espelhos,
  recognises: (start, names) => (/^\s*\[\s*\]\s*$/u.test(start) ? 1 : espelhos.recognises(start, names)),
  changedAt: ({ arquivo }: { arquivo?: unknown }) => dateOfFile(typeof arquivo === 'string' ? arquivo : ''),
  async *read(source) {
    if (!(await isEmptyMonth(source))) yield* espelhos.read(source);
  },
};

function toRegistro(espelho: Members, { fileNames }: Source): Mapped {
  const fields = new Fields(withLists(espelho));
  const id = fields.line('id');
  const ementa = unwrapped(withoutHeading(fields.prose('ementa')));
  const numero = fields.line('numeroProcesso');
  if (id === null) {
    return ementa === null && numero === null ? { leftOut: 'an empty record' } : { reject: missing('id') };
  }
  const tipo = oneLine(espelho['tipoDeDecisao']);
  if (tipo !== null && !/ac[óo]rd[ãa]o/iu.test(tipo)) return { leftOut: `tipoDeDecisao ${tipo}` };
  fields.drop('tipoDeDecisao');
  const sigla = fields.line('siglaClasse');
  const chave = keyOf(id);
  const arquivo = fileNames.find((name) => dateOfFile(name) !== null);
  return {
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
      extras: { id_origem: chave, ...fields.unread(), ...(arquivo === undefined ? {} : { arquivo }) },
    },
  };
}

/** Files of some bodies omit leading zeros of the ids. */
function keyOf(id: string): string {
  return /^\d+$/u.test(id) ? id.replace(/^0+/u, '').padStart(ID_DIGITS, '0') : id;
}

const ID_DIGITS = 9;

/** Parses the lists that files of some bodies have as printed Python lists. */
function withLists(espelho: Members): Members {
  const lists = LISTS.flatMap((name) => {
    const value = espelho[name];
    const list = typeof value === 'string' ? pythonList(value) : null;
    return list === null ? [] : [[name, list] as const];
  });
  return { ...espelho, ...Object.fromEntries(lists) };
}

const LISTS = [
  'jurisprudenciaCitada',
  'notas',
  'informacoesComplementares',
  'termosAuxiliares',
  'acordaosSimilares',
];

/** The last day that a file covers, from its name: `20260630.json`, `20220508.zip`. */
function dateOfFile(name: string): string | null {
  const date = writtenDay(/^(\d{8})\.(?:json|zip)\b/u.exec(name)?.[1]);
  return date !== null && existsInCalendar(date) ? date : null;
}

/** The STJ publishes a month without decisions as one record of empty fields, followed by an extra brace. */
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
