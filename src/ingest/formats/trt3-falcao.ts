import { htmlText } from '../html-text.ts';
import { oneLine, personName, textList, withoutHeading } from '../normalise.ts';
import type { Mapped } from './format.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { jsonFormat } from './json-format.ts';

/** Answers of Falcão, the labour courts' common search, for the TRT of the 3rd region. */
export const trt3Falcao = jsonFormat({
  name: 'trt3-falcao',
  about: 'answers of Falcão, for the TRT3',
  bases: ['trt3'],
  list: '$.documentos',
  noun: 'documento',
  own:
    'documentos quantidadeTotal idDocumentoAcordao idDocumento textoAcordao textoCompleto ' +
    'conteudoDecisao classeProcesso siglaClasseProcesso classeProcessual dataJulgamento dataJuntada ' +
    'turma nomeRelator nomeRedator referenciaLegislativa tituloDecisao origemDocumentos ' +
    'descricaoTribunal gabinete possuiEmenta highlightEmenta',
  shared:
    'id tribunal numeroProcesso relator orgaoJulgador siglaClasse dataPublicacao ementa ' +
    'tipoDocumento colecao tipo titulo legislacao inteiroTeor textoDecisao',
  map: toRegistro,
});

function toRegistro(found: Members): Mapped {
  const fields = new Fields(found);
  const other = otherCourt(found) ?? otherKind(found);
  if (other !== null) return { leftOut: other };
  fields.drop('tribunal', 'tipoDocumento', 'colecao');
  const id = oneLine(found['idDocumentoAcordao']) ?? oneLine(found['id']) ?? oneLine(found['idDocumento']);
  const numero = fields.line('numeroProcesso');
  if (id === null && numero === null)
    return { reject: 'idDocumentoAcordao and numeroProcesso: both missing' };
  const relator = firstPerson(fields, ['relator', 'nomeRelator', 'nomeRedator']);
  const redator = personName(found['nomeRedator']);
  const turma = fields.line('turma');
  const orgao = fields.line('orgaoJulgador');
  return {
    registro: {
      // Without an id, the key is a hash of the content.
      chave: id,
      fonte: 'TRT3',
      tipo: 'acordao',
      processo: numero,
      classe: classeOf(fields),
      orgao_julgador: turma ?? orgao,
      relator,
      redator: redator === relator ? null : redator,
      // `dataJuntada`, the day of filing, is another date and stays in extras.
      data_julgamento: fields.date('dataJulgamento'),
      data_publicacao: fields.date('dataPublicacao'),
      ementa: withoutHeading(htmlText(fields.raw('ementa'))),
      inteiro_teor: { existe_na_origem: true },
      legislacao_citada: legislacaoOf(fields, found),
      texto: fields.text(...FULL_TEXTS),
      extras: fields.unread(),
    },
    texts: fields.texts,
  };
}

/** The first that has a value counts: answers of a search and of a single document name it differently. */
const FULL_TEXTS = [
  'textoAcordao',
  'textoCompleto',
  'inteiroTeor',
  'textoDecisao',
  'conteudoDecisao',
  'conteudo',
  'texto',
];

/** The search covers all labour courts. */
function otherCourt(found: Members): string | null {
  for (const name of ['tribunal', 'origemDocumentos', 'descricaoTribunal']) {
    const court = nameOf(found[name]);
    if (court !== null && !OWN_COURT.test(court)) return `${name} ${court}`;
  }
  return null;
}

const OWN_COURT = /^(?:TRT|Tribunal Regional do Trabalho)\s*-?\s*(?:da\s*)?0?3(?!\d)/iu;

/** Súmulas, orientações, IRDRs and the like are no acórdãos, whichever field says so. */
function otherKind(found: Members): string | null {
  const tipo = nameOf(found['tipoDocumento']) ?? nameOf(found['colecao']);
  if (tipo !== null && !ACORDAO.test(tipo)) return `tipoDocumento ${tipo}`;
  const kind = nameOf(found['tipo']);
  const isCase = oneLine(found['numeroProcesso']) !== null;
  if (kind !== null && !ACORDAO.test(kind) && (!isCase || OTHER_KIND.test(kind))) return `tipo ${kind}`;
  const titulo = nameOf(found['tituloDecisao']);
  return titulo !== null && !ACORDAO.test(titulo) && OTHER_KIND.test(titulo)
    ? `tituloDecisao ${titulo}`
    : null;
}

const ACORDAO = /ac[óo]rd[ãa]o/iu;
const OTHER_KIND =
  /^(?:s[úu]mula|OJ|orienta|IRDR|IAC|IUJ|argui[çc][ãa]o|incidente|precedente|tese|tema|enunciado|nota t[ée]cnica|senten[çc]a|despacho|decis[ãa]o.?monocr|repercuss|recursos? repetitiv)/iu;

/** A value, or the name in an object such as `{"valor": "SUMULA"}`. */
function nameOf(value: unknown): string | null {
  if (!isObject(value)) return oneLine(value);
  return (
    oneLine(value['sigla']) ??
    oneLine(value['valor']) ??
    oneLine(value['nome']) ??
    oneLine(value['descricao'])
  );
}

/** `classeProcessual` is a sigla or a name. */
function classeOf(fields: Fields): { sigla: string | null; descricao: string | null } {
  const either = fields.line('classeProcessual');
  const isSigla = either !== null && /^[A-Z]{2}\S*$|^[A-Z]\p{Ll}*[A-Z]\S*$/u.test(either);
  const sigla = fields.line('siglaClasseProcesso') ?? fields.line('siglaClasse');
  const descricao = fields.line('classeProcesso');
  return {
    sigla: sigla ?? (isSigla ? either : null),
    descricao: descricao ?? (isSigla ? null : either),
  };
}

/** As published. What is no text or list of texts stays in extras. */
function legislacaoOf(fields: Fields, found: Members): string[] | null {
  const texts = ['referenciaLegislativa', 'legislacao'].flatMap((name) =>
    textList(found[name]) === null ? [] : (fields.list(name) ?? []),
  );
  return texts.length === 0 ? null : [...new Set(texts)];
}

function firstPerson(fields: Fields, names: readonly string[]): string | null {
  const found = names.map((name) => fields.person(name));
  return found.find((name) => name !== null) ?? null;
}
