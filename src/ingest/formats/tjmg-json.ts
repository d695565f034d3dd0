import { Damaged } from '../damaged.ts';
import { htmlText } from '../html-text.ts';
import { oneLine } from '../normalise.ts';
import type { Formato, Mapped } from './format.ts';
import { toItem } from './format.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { cameAs, readRecords } from './json-records.ts';
import { ementaOfTjmg, statusOfTjmg, withoutTitle } from './tjmg.ts';

/** Answers of the TJMG's newer search. */
export const tjmgJson: Formato = {
  name: 'tjmg-json',
  about: 'answers of the TJMG’s newer search',
  bases: ['tjmg'],
  recognises: (start) => /^\s*\{/u.test(start) && /"jurisprudencias"\s*:\s*\[/u.test(start),
  isLoadedWhileRead: false,
  changedAt: () => null,
  async *read(source) {
    for await (const record of readRecords(source, { list: '$.jurisprudencias' })) {
      const { value, number } = record;
      const place = `record ${number}`;
      if (!isObject(value)) throw new Damaged('a record that is no object', place);
      yield { place, item: (last) => toItem(() => toRegistro(value), last, cameAs(record)) };
    }
  },
};

function toRegistro(found: Members): Mapped {
  const fields = new Fields(found);
  const chave = fields.line('id');
  if (chave === null) return { reject: 'id: missing, so that the decision could not be told from others' };
  const tipo = oneLine(found['tipoDocumento']);
  // The base holds acórdãos alone; monocráticas, turmas recursais and the vice-presidency have no ementa here either.
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
      extras: { id_origem: chave, ...numberOf(found), ...fields.rest() },
    },
  };
}

/** The number stays in `extras` also where it stands for the missing CNJ number. */
function numberOf({ numeroProcessoTj: numero }: Members): Record<string, unknown> {
  return oneLine(numero) === null ? {} : { numeroProcessoTj: numero };
}

/** Twenty bare digits, with what may follow them, in the form that every other base shows. */
function withCnjMarks(numero: string | null): string | null {
  return numero?.replace(/^(\d{7})(\d{2})(\d{4})(\d)(\d{2})(\d{4})(?!\d)/u, '$1-$2.$3.$4.$5.$6') ?? null;
}
