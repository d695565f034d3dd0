import type { Base } from '../../../src/contract/vocabulary.ts';
import { eprocHtml } from '../../../src/ingest/formats/eproc-html.ts';
import type { Formato } from '../../../src/ingest/formats/format.ts';
import { jsonl } from '../../../src/ingest/formats/jsonl.ts';
import { stfPesquisa } from '../../../src/ingest/formats/stf-pesquisa.ts';
import { stjEspelhos } from '../../../src/ingest/formats/stj-espelhos.ts';
import { tjmgHtml } from '../../../src/ingest/formats/tjmg-html.ts';
import { tjmgJson } from '../../../src/ingest/formats/tjmg-json.ts';
import { trt3Falcao } from '../../../src/ingest/formats/trt3-falcao.ts';
import { tstPesquisa } from '../../../src/ingest/formats/tst-pesquisa.ts';

/** What a made-up decision holds; `more` are further fields of a JSON record. */
export interface Made {
  readonly ementa: string | null;
  readonly relator?: string;
  readonly more?: object;
}

interface Every {
  readonly format: Formato;
  readonly base: Base;
  /** A text of that format with one decision. */
  readonly text: (made: Made) => string;
}

/** A text with one decision in each format, the canonical one first. */
export const EVERY_FORMAT: readonly Every[] = [
  {
    format: jsonl,
    base: 'stj',
    text: ({ more, ...made }) =>
      `${JSON.stringify({ chave: '1', tipo: 'acordao', ...made, ...(more && { extras: more }) })}\n`,
  },
  {
    format: stjEspelhos,
    base: 'stj',
    text: ({ ementa, relator, more }) =>
      JSON.stringify([{ id: '1', siglaClasse: 'REsp', ementa, ministroRelator: relator, ...more }]),
  },
  {
    format: stfPesquisa,
    base: 'stf',
    text: ({ ementa, relator, more }) => {
      const found = { id: 'sjur1', base: 'acordaos', relator_processo_nome: relator, ementa_texto: ementa };
      return JSON.stringify({ result: { hits: { hits: [{ _source: { ...found, ...more } }] } } });
    },
  },
  {
    format: tstPesquisa,
    base: 'tst',
    text: ({ ementa, relator, more }) => {
      const tipo = { codigoTipoJurisprudencia: 'ACORDAO' };
      const registro = { id: '1', tipo, nomRelator: relator, ementa, ...more };
      return JSON.stringify({ totalRegistros: 1, registros: [{ registro }] });
    },
  },
  {
    format: tjmgJson,
    base: 'tjmg',
    text: ({ ementa, relator, more }) =>
      JSON.stringify({ jurisprudencias: [{ id: '1', magistrado: relator, ementa, ...more }] }),
  },
  {
    format: trt3Falcao,
    base: 'trt3',
    text: ({ ementa, relator, more }) =>
      JSON.stringify({
        quantidadeTotal: 1,
        documentos: [{ id: '1', turma: '1ª Turma', relator, ementa, ...more }],
      }),
  },
  {
    format: eprocHtml,
    base: 'eproc',
    text: ({ ementa, relator }) =>
      '<title>eproc - Jurisprudência</title><div class="resultadoItem" id="resultado1">' +
      '<div class="resValueTipoJurisprudencia">Acórdão</div>' +
      Object.entries({ PROCESSO: '1/TNU', RELATOR: relator ?? '', EMENTA: ementa ?? '' })
        .map(([label, value]) => `<b class="resLabel">${label}</b><i class="resValue">${value}</i>`)
        .join('') +
      '</div>',
  },
  {
    format: tjmgHtml,
    base: 'tjmg',
    text: ({ ementa, relator }) =>
      '<title>TJMG - Pesquisa por Jurisprudência</title><div class="caixa_processo">' +
      'Processo: Apelação 1.0024.12.345678-9/001 0042948-04.2016.8.13.0407 (1)</div>' +
      `<div><strong>Relator(a):</strong> ${relator}</div><div><strong>Ementa:</strong> ${ementa}</div>`,
  },
];
