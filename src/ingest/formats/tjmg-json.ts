import { htmlText } from '../html-text.ts';
import { oneLine } from '../normalise.ts';
import { missing, type Mapped } from './format.ts';
import { Fields, type Members } from './fields.ts';
import { jsonFormat } from './json-format.ts';
import { ementaOfTjmg, statusOfTjmg, withoutTitle } from './tjmg.ts';

/** Answers of the TJMG's newer search. */
export const tjmgJson = jsonFormat({
  name: 'tjmg-json',
  about: 'answers of the TJMG’s newer search',
  bases: ['tjmg'],
  list: '$.jurisprudencias',
  noun: 'record',
  own:
    'jurisprudencias totalRecords numeroProcessoTj numeroProcessoCnj julgamentoData publicacaoData ' +
    'magistrado documentoId comarca',
  shared: 'id tipoDocumento ementa orgaoJulgador classe assuntos siglaClasse',
  map: toRegistro,
});

function toRegistro(found: Members): Mapped {
  const fields = new Fields(found);
  const chave = fields.line('id');
  if (chave === null) return { reject: missing('id') };
  const tipo = oneLine(found['tipoDocumento']);
  // The base has acórdãos only. Monocráticas and decisions of turmas recursais or the vice-presidency have no ementa here.
  if (tipo !== null && !/^ac[óo]rd[ãa]o/iu.test(tipo)) return { leftOut: `tipoDocumento ${tipo}` };
  fields.drop('tipoDocumento');
  const ementa = ementaOfTjmg(htmlText(fields.raw('ementa')));
  return {
    registro: {
      chave,
      fonte: 'TJMG',
      tipo: 'acordao',
      processo: withCnjMarks(fields.line('numeroProcessoCnj')) ?? fields.line('numeroProcessoTj'),
      classe: { descricao: fields.line('classe') },
      orgao_julgador: fields.line('orgaoJulgador'),
      relator: withoutTitle(fields.person('magistrado')),
      data_julgamento: fields.date('julgamentoData'),
      data_publicacao: fields.date('publicacaoData'),
      ementa,
      ementa_status: statusOfTjmg(ementa),
      inteiro_teor: { existe_na_origem: oneLine(found['documentoId']) === null ? null : true },
      extras: { id_origem: chave, ...fields.kept('numeroProcessoTj'), ...fields.unread() },
    },
  };
}

/** Formats 20 bare digits as a CNJ number; a suffix stays. */
function withCnjMarks(numero: string | null): string | null {
  return numero?.replace(/^(\d{7})(\d{2})(\d{4})(\d)(\d{2})(\d{4})(?!\d)/u, '$1-$2.$3.$4.$5.$6') ?? null;
}
