import { htmlText } from '../html-text.ts';
import { oneLine, personName, withoutHeading } from '../normalise.ts';
import type { Formato, Mapped } from './format.ts';
import { Fields, type Members } from './fields.ts';
import { readObjects } from './json-records.ts';

/** Answers of Falcão, the labour courts' common search, for the TRT of the 3rd region. */
export const trt3Falcao: Formato = {
  name: 'trt3-falcao',
  about: 'answers of Falcão, for the TRT3',
  bases: ['trt3'],
  recognises: (start) =>
    /^\s*\{/u.test(start) &&
    /"documentos"\s*:\s*\[/u.test(start) &&
    /"quantidadeTotal"\s*:|"numeroProcesso"\s*:/u.test(start),
  read: (source) => readObjects(source, { list: '$.documentos', noun: 'documento' }, toRegistro),
};

function toRegistro(found: Members): Mapped {
  const fields = new Fields(found);
  const tribunal = oneLine(found['tribunal']);
  // The search covers all labour courts.
  if (tribunal !== null && !/^TRT\s*-?\s*0?3\D*$/iu.test(tribunal))
    return { leftOut: `tribunal ${tribunal}` };
  const tipo = oneLine(found['tipoDocumento']) ?? oneLine(found['colecao']);
  if (tipo !== null && !/ac[óo]rd[ãa]o/iu.test(tipo)) return { leftOut: `tipoDocumento ${tipo}` };
  fields.drop('tribunal', 'tipoDocumento', 'colecao');
  const id = oneLine(found['idDocumentoAcordao']) ?? oneLine(found['id']) ?? oneLine(found['idDocumento']);
  const relator = firstPerson(fields, ['relator', 'nomeRelator', 'nomeRedator']);
  const redator = personName(found['nomeRedator']);
  const turma = fields.line('turma');
  const orgao = fields.line('orgaoJulgador');
  const ementa = withoutHeading(htmlText(fields.raw('ementa')));
  const numero = fields.line('numeroProcesso');
  if (id === null && numero === null)
    return { reject: 'idDocumentoAcordao and numeroProcesso: both missing' };
  return {
    registro: {
      // Without an id, the key is a hash of the content.
      chave: id,
      fonte: 'TRT3',
      tipo: 'acordao',
      processo: numero,
      classe: { sigla: fields.line('siglaClasseProcesso'), descricao: fields.line('classeProcesso') },
      orgao_julgador: turma ?? orgao,
      relator,
      redator: redator === relator ? null : redator,
      // `dataJuntada`, the day of filing, is another date and stays in extras.
      data_julgamento: fields.date('dataJulgamento'),
      data_publicacao: fields.date('dataPublicacao'),
      ementa,
      inteiro_teor: { existe_na_origem: true },
      texto: htmlText(fields.raw('textoAcordao')),
      extras: fields.unread(),
    },
  };
}

function firstPerson(fields: Fields, names: readonly string[]): string | null {
  const found = names.map((name) => fields.person(name));
  return found.find((name) => name !== null) ?? null;
}
