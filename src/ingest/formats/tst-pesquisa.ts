import type { TipoDaBase } from '../../contract/catalog.ts';
import { Damaged } from '../damaged.ts';
import { htmlText } from '../html-text.ts';
import { oneLine, prose, withoutHeading } from '../normalise.ts';
import type { Formato, Mapped } from './format.ts';
import { toItem } from './format.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { cameAs, readRecords } from './json-records.ts';

/** Pages of the TST's search: acórdãos, despachos, súmulas, orientações jurisprudenciais, precedentes normativos. */
export const tstPesquisa: Formato = {
  name: 'tst-pesquisa',
  about: 'answers of the TST’s search',
  bases: ['tst'],
  recognises: (start) =>
    /^\s*\{/u.test(start) && /"totalRegistros"\s*:/u.test(start) && /"registros"\s*:/u.test(start),
  isLoadedWhileRead: false,
  changedAt: ({ dtaAtualizacao: at }: { dtaAtualizacao?: unknown }) =>
    typeof at === 'string' && /^\d{4}-\d{2}-\d{2}/u.test(at) ? at : null,
  async *read(source) {
    for await (const record of readRecords(source, { list: '$.registros' })) {
      const { value, number } = record;
      const place = `registro ${number}`;
      if (!isObject(value)) throw new Damaged('a registro that is no object', place);
      yield { place, item: (last) => toItem(() => toMapped(value), last, cameAs(record)) };
    }
  },
};

function toMapped({ registro }: Members): Mapped {
  return isObject(registro) ? toRegistro(registro) : { reject: 'registro: missing' };
}

const TIPO_OF_CODE = new Map<string, TipoDaBase<'tst'>>([
  ['ACORDAO', 'acordao'],
  ['DESPACHO', 'decisao_monocratica'],
  ['SUM', 'sumula'],
  ['OJ', 'orientacao_jurisprudencial'],
  ['OJT', 'orientacao_jurisprudencial'],
  ['PN', 'precedente_normativo'],
]);
/** The codes of these three are not known; the type's name says what it is. The first that fits counts. */
const TIPO_OF_NAME: readonly (readonly [RegExp, TipoDaBase<'tst'>])[] = [
  [/vice.?presid/iu, 'decisao_vice_presidencia'],
  [/presid/iu, 'decisao_presidencia'],
  [/corregedor/iu, 'decisao_corregedoria'],
];

function toRegistro(registro: Members): Mapped {
  const fields = new Fields(mendedDashes(registro));
  const chave = fields.line('id');
  if (chave === null) return { reject: 'id: missing, so that the decision could not be told from others' };
  const tipo = tipoOf(fields.raw('tipo'));
  if (typeof tipo !== 'object') return { leftOut: `tipo ${tipo}` };
  const orgao = memberOf(fields.raw('orgaoJudicante'));
  const texto = htmlText(fields.raw('inteiroTeorHTMLHighlight')) ?? htmlText(fields.raw('inteiroTeorHtml'));
  fields.drop(...FULL_TEXTS);
  const ofCase = tipo.isVerbete ? verbete(fields, tipo.code, orgao) : acordao(fields);
  return {
    registro: {
      chave,
      fonte: oneLine(memberOf(fields.raw('orgao'))['sigla']) ?? 'TST',
      tipo: tipo.tipo,
      orgao_julgador: oneLine(orgao['descricao']),
      relator: relatorOf(fields),
      data_julgamento: fields.date('dtaJulgamento'),
      data_publicacao: fields.date('dtaPublicacao'),
      inteiro_teor: { existe_na_origem: tipo.isVerbete ? null : true },
      temas: temasOf(fields.raw('temaProcs')),
      texto,
      ...ofCase,
      extras: { id_origem: chave, ...fields.rest() },
    },
  };
}

/** A decision of a case. */
function acordao(fields: Fields) {
  return {
    processo: fields.line('numFormatado'),
    classe: { sigla: fields.line('codFase') },
    // Fragments of a page, each on lines of its own: their breaks say nothing.
    ementa: oneLine(withoutHeading(fields.prose('ementa'))),
    dispositivo: fields.prose('dispositivo')?.replace(/^[,;\s]+/u, '') ?? null,
  };
}

/** A súmula, orientação or precedente: what it says is its ementa. */
function verbete(fields: Fields, code: string, orgao: Members) {
  const numero = fields.line('numero');
  const tese = htmlText(fields.raw('tese'));
  const titulo = htmlText(fields.raw('titulo'));
  const texts = [titulo, tese ?? htmlText(fields.raw('ementa'))].filter((text) => text !== null);
  const body = oneLine(orgao['sigla']) ?? oneLine(orgao['descricao']);
  // The numbers of orientações repeat from one body to the next.
  const suffix = code.startsWith('OJ') && body !== null ? ` (${body})` : '';
  return {
    processo: numero === null ? null : `${VERBETES[code] ?? ''} ${numero}${suffix}`.trim(),
    ementa: texts.length === 0 ? null : texts.join('\n'),
    tese,
  };
}

const VERBETES: Readonly<Record<string, string>> = {
  SUM: 'Súmula',
  OJ: 'Orientação Jurisprudencial',
  OJT: 'Orientação Jurisprudencial Transitória',
  PN: 'Precedente Normativo',
};

function tipoOf(raw: unknown): { tipo: TipoDaBase<'tst'>; code: string; isVerbete: boolean } | string {
  const code = oneLine(memberOf(raw)['codigoTipoJurisprudencia']) ?? '';
  const name = oneLine(memberOf(raw)['nome']) ?? '';
  const tipo =
    TIPO_OF_CODE.get(code) ?? TIPO_OF_NAME.find(([pattern]) => pattern.test(`${code} ${name}`))?.[1];
  return tipo === undefined
    ? `${code} ${name}`.trim() || '(none)'
    : { tipo, code, isVerbete: code in VERBETES };
}

/** `nomRelator` has lost its capitals and accents; where the source gives the name untreated, that is the name. */
function relatorOf(fields: Fields): string | null {
  const treated = fields.person('nomRelator');
  return fields.person('nomRelatorSemTratamento') ?? treated;
}

function temasOf(raw: unknown): string[] | null {
  const names = (Array.isArray(raw) ? raw : []).map((tema) => prose(memberOf(tema)['desTemaProc']));
  const temas = [...new Set(names.filter((name) => name !== null))];
  return temas.length === 0 ? null : temas;
}

function memberOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** A dash that the source's own encoding lost came out as an inverted question mark, which Portuguese has not. */
function mendedDashes(registro: Members): Members {
  return Object.fromEntries(
    Object.entries(registro).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('¿', '–') : value,
    ]),
  );
}

/** Forms of the full text and of the ementa with the words that were searched for marked. */
const FULL_TEXTS = [
  'txtEmentaHighlight',
  'txtInteiroTeor',
  'txtInteiroTeorNaoAnalisado',
  'inteiroTeorHtml',
  'inteiroTeorRtf',
  'ementaHtml',
  'ementaNaoAnalisada',
  'dispositivoNaoAnalisado',
  'txtConteudoDecisao',
];
