import { bug } from '../../bug.ts';
import type { TipoDaBase } from '../../contract/catalog.ts';
import { htmlText } from '../html-text.ts';
import { oneLine, prose, withoutHeading } from '../normalise.ts';
import { missing, type Mapped } from './format.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { jsonFormat } from './json-format.ts';

/** Pages of the TST's search: acórdãos, despachos, súmulas, orientações jurisprudenciais, precedentes normativos. */
export const tstPesquisa = jsonFormat({
  name: 'tst-pesquisa',
  about: 'answers of the TST’s search',
  bases: ['tst'],
  list: '$.registros',
  noun: 'registro',
  own:
    'registros totalRegistros registro numFormatado numFormatadoAnt codigoTipoJurisprudencia ' +
    'orgaoJudicante codFase nomRelator nomRelatorSemTratamento dtaJulgamento dtaPublicacao ' +
    'dtaAtualizacao temaProcs inteiroTeorHTMLHighlight inteiroTeorHtml txtInteiroTeor ' +
    'txtConteudoDecisao',
  shared: 'id numero tipo orgao ementa dispositivo tese titulo situacao observacao historico',
  changed: 'dtaAtualizacao',
  map: toMapped,
});

/** A result, or only its `registro`. */
function toMapped(result: Members): Mapped {
  const { registro = result } = result;
  return isObject(registro) && (registro !== result || 'tipo' in result)
    ? toRegistro(registro)
    : { reject: missing('registro') };
}

const TIPO_OF_CODE = new Map<string, TipoDaBase<'tst'>>([
  ['ACORDAO', 'acordao'],
  ['DESPACHO', 'decisao_monocratica'],
  ['DESPGP', 'decisao_presidencia'],
  ['DESPGVP', 'decisao_vice_presidencia'],
  ['DESPGCG', 'decisao_corregedoria'],
  ['SUM', 'sumula'],
  ['OJ', 'orientacao_jurisprudencial'],
  ['OJT', 'orientacao_jurisprudencial'],
  ['PN', 'precedente_normativo'],
]);
/** Types without a known code, by name. The first match counts. */
const TIPO_OF_NAME: readonly (readonly [RegExp, TipoDaBase<'tst'>])[] = [
  [/vice.?presid/iu, 'decisao_vice_presidencia'],
  [/presid/iu, 'decisao_presidencia'],
  [/corregedor/iu, 'decisao_corregedoria'],
];

function toRegistro(registro: Members): Mapped {
  const fields = new Fields(withRepairedDashes(registro));
  const chave = fields.line('id');
  if (chave === null) return { reject: missing('id') };
  const tipo = tipoOf(fields.raw('tipo'));
  if (typeof tipo !== 'object') return { leftOut: `tipo ${tipo}` };
  const orgao = memberOf(fields.raw('orgaoJudicante'));
  const tribunal = fields.raw('orgao');
  const body = otherBody(tribunal, orgao);
  if (body !== null) return { leftOut: `orgao ${body}` };
  const texto = fields.text(...FULL_TEXTS);
  fields.drop(...OTHER_FORMS);
  const ofCase = tipo.isVerbete ? verbete(fields, tipo.code, orgao) : acordao(fields);
  return {
    registro: {
      chave,
      fonte: oneLine(memberOf(tribunal)['sigla']) ?? 'TST',
      tipo: tipo.tipo,
      orgao_julgador: oneLine(orgao['descricao']),
      relator: relatorOf(fields),
      data_julgamento: fields.date('dtaJulgamento'),
      data_publicacao: fields.date('dtaPublicacao'),
      inteiro_teor: { existe_na_origem: tipo.isVerbete ? null : true },
      temas: temasOf(fields.raw('temaProcs')),
      texto,
      ...ofCase,
      extras: { id_origem: chave, ...fields.unread() },
    },
    texts: fields.texts,
  };
}

/** A decision of a case. */
function acordao(fields: Fields) {
  return {
    processo: fields.line('numFormatado'),
    classe: { sigla: fields.line('codFase') },
    // The line breaks separate fragments of a page and have no meaning.
    ementa: oneLine(withoutHeading(fields.prose('ementa'))),
    dispositivo: fields.prose('dispositivo')?.replace(/^[,;\s]+/u, '') ?? null,
  };
}

/** A súmula, orientação or precedente, whose text is stored as the ementa. */
function verbete(fields: Fields, code: string, orgao: Members) {
  const numero = fields.line('numero');
  const tese = htmlText(fields.raw('tese'));
  const titulo = htmlText(fields.raw('titulo'));
  const texts = [titulo, tese ?? htmlText(fields.raw('ementa'))].filter((text) => text !== null);
  const body = oneLine(orgao['sigla']) ?? oneLine(orgao['descricao']);
  // Each body numbers its orientações from 1.
  const suffix = code.startsWith('OJ') && body !== null ? ` (${body})` : '';
  return {
    processo: numero === null ? null : `${VERBETES[code] ?? bug('no name')} ${numero}${suffix}`,
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
    : { tipo, code, isVerbete: Object.hasOwn(VERBETES, code) };
}

/** `nomRelator` has no capitals and accents, so `nomRelatorSemTratamento` is preferred. */
function relatorOf(fields: Fields): string | null {
  const treated = fields.person('nomRelator');
  return fields.person('nomRelatorSemTratamento') ?? treated;
}

/** The search also covers the CSJT and the TRTs. @returns the name of another court than the TST, or null. */
function otherBody(tribunal: unknown, orgao: Members): string | null {
  const { sigla, nome } = memberOf(tribunal);
  const courts = [sigla, nome, typeof tribunal === 'string' ? tribunal : null].map(oneLine);
  const bodies = [orgao['sigla'], orgao['descricao']].map(oneLine);
  const named = courts.find((name) => name !== null && !/\bTST\b|Tribunal Superior do Trabalho/iu.test(name));
  return named ?? bodies.find((name) => name !== null && OTHER_BODY.test(name)) ?? null;
}

const OTHER_BODY =
  /\bCSJT\b|Conselho Superior da Justi[çc]a do Trabalho|^TRT|^Tribunal Regional do Trabalho/iu;

function temasOf(raw: unknown): string[] | null {
  const names = (Array.isArray(raw) ? raw : []).map((tema) => prose(memberOf(tema)['desTemaProc']));
  const temas = [...new Set(names.filter((name) => name !== null))];
  return temas.length === 0 ? null : temas;
}

function memberOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** The source turned some dashes into inverted question marks, which Portuguese does not use. */
function withRepairedDashes(registro: Members): Members {
  return Object.fromEntries(
    Object.entries(registro).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('¿', '–') : value,
    ]),
  );
}

/** The first that has a value counts. The court sends a placeholder in most of them. */
const FULL_TEXTS = [
  'inteiroTeorHTMLHighlight',
  'inteiroTeorHtml',
  'txtInteiroTeor',
  'txtInteiroTeorNaoAnalisado',
  'txtConteudoDecisao',
  'txtConteudoDecisaoHighlight',
];
/** The full text in another format, and the ementa and the dispositivo in other forms. */
const OTHER_FORMS = [
  'inteiroTeorRtf',
  'txtEmentaHighlight',
  'ementaHtml',
  'ementaNaoAnalisada',
  'dispositivoNaoAnalisado',
];
