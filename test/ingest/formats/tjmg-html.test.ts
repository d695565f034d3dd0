import { describe, expect, test } from 'vitest';
import { tjmgHtml } from '../../../src/ingest/formats/tjmg-html.ts';
import { hasOrigens, origemText, read, readOrigem } from './support.ts';

const PAGES = [
  'tjmg/results_normal_page_01.html',
  'tjmg/results_normal_page_02.html',
  'tjmg/single_page.html',
] as const;

const PAGES_2020 = ['tjmg-2020/2020-05-01-pagina-6.html', 'tjmg-2020/2020-05-01-pagina-7.html'] as const;

/** Copied from the raw pages: the page, the place in it, and the fields of the result. */
type Row = readonly [
  page: 0 | 1 | 2,
  place: number,
  classe: string,
  numero: string,
  processo: string,
  relator: string,
  julgamento: string,
  publicacao: string,
  begins: string,
  ends: string,
  status: 'completa' | 'truncada',
];
// prettier-ignore
const ROWS: readonly Row[] = [
  [0, 1, 'Apelação Cível', '1.0000.24.506095-9/001', '0042948-04.2016.8.13.0407 (1)', 'Newton Teixeira Carvalho', '2025-01-31', '2025-02-11', 'DIREITO CIVIL. APELAÇÃO CÍVEL. AÇÃO ORDINÁRIA DE REPARAÇÃO POR DANOS', 'do risco para exclusão da cobertura.', 'completa'],
  [0, 2, 'Apelação Cível', '1.0000.24.416946-2/001', '0225988-61.2013.8.13.0223 (1)', 'Lúcio de Brito', '2025-01-31', '2025-02-06', 'APELAÇÃO CÍVEL - AÇÃO DE INDENIZAÇÃO POR DANOS MATERIAIS', 'entre o dano e a suposta conduta.', 'completa'],
  [0, 3, 'Agravo de Instrumento-Cv', '1.0000.24.092154-4/001', '0921551-37.2024.8.13.0000 (1)', 'Octávio de Almeida Neves', '2025-01-31', '2025-02-06', 'AGRAVO DE INSTRUMENTO - AÇÃO DE OBRIGAÇÃO DE FAZER', 'implante de neuromodulador neural.', 'completa'],
  [0, 4, 'Agravo de Instrumento-Cv', '1.0000.22.077779-1/003', '3149739-22.2024.8.13.0000 (2)', 'Antônio Bispo', '2025-01-31', '2025-02-06', 'AGRAVO DE INSTRUMENTO - NULIDADE PROCESSUAL', 'impugnável por agravo de instrumento.', 'completa'],
  [0, 6, 'Agravo de Instrumento-Cv', '1.0000.24.342774-7/001', '3427754-21.2024.8.13.0000 (1)', 'Nicolau Lupianhes Neto', '2025-01-31', '2025-02-06', 'AGRAVO DE INSTRUMENTO CÍVEL - PROCEDIMENTO COMUM', 'de que foram de fato causados réu.', 'completa'],
  [0, 9, 'Conflito de Competência', '1.0000.24.436879-1/000', '4368791-03.2024.8.13.0000 (1)', 'Alberto Diniz Junior', '2025-01-31', '2025-02-07', 'CONFLITO DE COMPETÊNCIA - AÇÃO DECLARATÓRIA', 'no âmbito dos Juizados Especiais.', 'completa'],
  [1, 5, 'Embargos de Declaração-Cv', '1.0000.23.057842-9/003', '5000327-21.2023.8.13.0710 (1)', 'Octávio de Almeida Neves', '2025-01-31', '2025-02-06', 'EMBARGOS DE DECLARAÇÃO - INOVAÇÃO RECURSAL', 'deve ser sanado o vício.', 'completa'],
  [1, 7, 'Apelação Cível', '1.0000.24.516216-9/001', '5000498-13.2023.8.13.0472 (1)', 'Ivone Guilarducci', '2025-01-31', '2025-02-06', 'DIREITO DO CONSUMIDOR E PROCESSUAL CIVIL.', 'CÂMARA CÍVEL, j. 07/08/2024; TJMG,', 'truncada'],
  [2, 1, 'Apelação Criminal', '1.0000.25.315138-5/001', '0000309-41.2023.8.13.0175 (1)', 'Agostinho Gomes de Azevedo', '2026-04-22', '2026-04-23', 'APELAÇÃO CRIMINAL - HOMICÍDIO QUALIFICADO - LESÃO CORPORAL', 'aplicação da fração máxima.', 'completa'],
  [2, 2, 'Rec em Sentido Estrito', '1.0000.25.199864-7/001', '0008614-57.2024.8.13.0699 (1)', 'Richardson Xavier Brant (JD 2G)', '2026-04-17', '2026-04-22', 'DIREITO PENAL E PROCESSUAL PENAL. RECURSO EM SENTIDO ESTRITO.', 'RSE 1.0000.25.110782-7/001, Rel. Des.', 'truncada'],
  [2, 6, 'Apelação Criminal', '1.0000.24.533658-1/002', '0214352-64.2014.8.13.0223 (1)', 'Paula Cunha e Silva', '2026-03-31', '2026-04-06', 'DIREITO PENAL E PROCESSUAL PENAL. APELAÇÃO CRIMINAL.', 'ainda que parcial ou qualificada, d', 'truncada'],
  [2, 8, 'Rec em Sentido Estrito', '1.0000.25.418767-7/001', '1138785-83.2018.8.13.0024 (1)', 'Maria Isabel Fleck (JD Convocada)', '2026-03-25', '2026-03-27', 'RECURSO EM SENTIDO ESTRITO - PRONÚNCIA', '4. Recurso desprovido.', 'completa'],
];

describe.skipIf(!hasOrigens())('a real page of the TJMG', () => {
  test.each(ROWS.map((row) => [row[3], row] as const))('%s is mapped field by field', async (_, row) => {
    const [page, place, classe, numero, processo, relator, julgamento, publicacao, begins, ends, status] =
      row;
    const { decisoes, documentos } = await readOrigem(tjmgHtml, 'tjmg', PAGES[page]);
    const documento = documentos[place - 1]!;
    expect(decisoes[place - 1]!.chave).toBe(`${numero} ${processo.slice(-3)}`);
    expect(documento).toEqual({
      id: 'tjmg:1',
      base: 'tjmg',
      fonte: 'TJMG',
      tipo: 'acordao',
      processo,
      classe: { sigla: null, descricao: classe },
      orgao_julgador: null,
      relator,
      redator: null,
      data_julgamento: julgamento,
      data_publicacao: publicacao,
      ementa_status: status,
      ementa: documento.ementa,
      tese: null,
      dispositivo: null,
      inteiro_teor: { existe_na_origem: null, caracteres: null },
      citacao: null,
      legislacao_citada: null,
      temas: null,
      extras: { numero_tjmg: numero },
    });
    expect(documento.ementa!.startsWith(begins) && documento.ementa!.endsWith(ends)).toBe(true);
    expect(documento.ementa).not.toMatch(/<\/?(?:font|b|br)\b|EMENTA:\s|^Ementa|\r/u);
  });

  test('the four ementas that the court has cut are marked truncada, and no others', async () => {
    const pages = await Promise.all(PAGES.map((name) => readOrigem(tjmgHtml, 'tjmg', name)));
    const cut = pages.flatMap(({ documentos }) =>
      documentos.filter((one) => one.ementa_status === 'truncada'),
    );
    expect(cut.map(({ extras }) => extras)).toEqual([
      { numero_tjmg: '1.0000.24.516216-9/001' },
      { numero_tjmg: '1.0000.25.199864-7/001' },
      { numero_tjmg: '1.0000.26.013024-0/001' },
      { numero_tjmg: '1.0000.24.533658-1/002' },
    ]);
  });

  test('of 2020 has four-digit years, and the printed dates in extras', async () => {
    const pages = await Promise.all(PAGES_2020.map((name) => readOrigem(tjmgHtml, 'tjmg', name)));
    const documentos = pages.flatMap((page) => page.documentos);
    expect(documentos).toHaveLength(173);
    const mended = documentos.filter(({ extras }) => 'data_julgamento' in extras);
    expect(mended).toHaveLength(119);
    for (const { data_julgamento: date, extras } of mended) {
      const [year, month, day] = date!.split('-');
      expect(extras).toMatchObject({ data_julgamento: `${day}/${month}/00${year!.slice(2)}` });
    }
    for (const { data_julgamento: judged, data_publicacao: published } of documentos)
      expect(Date.parse(published!) - Date.parse(judged!)).toBeLessThan(120 * 86_400_000);
    expect(documentos.every((one) => one.data_julgamento! <= one.data_publicacao!)).toBe(true);
  });

  test('of 2020 has the whole ementa, past marks within it', async () => {
    const { documentos } = await readOrigem(tjmgHtml, 'tjmg', PAGES_2020[0]);
    const { ementa } = documentos[67]!;
    expect(ementa).toMatch(
      /^RECURSO EM SENTIDO ESTRITO - DUPLA TENTATIVA .* E NÃO PROVIDO\.\nComprovados nos/u,
    );
    expect(ementa).toMatch(/o que não ocorre na hipótese\.$/u);
    expect(documentos.map((one) => one.ementa!).filter((text) => /[<>]|^EMENTA/iu.test(text))).toEqual([]);
  });

  test('cut off anywhere is damaged', async () => {
    const text = origemText(PAGES[0]);
    for (const share of [0.05, 0.3, 0.6, 0.95]) {
      await expect(read(tjmgHtml, 'tjmg', text.slice(0, text.length * share))).rejects.toThrow(
        'cut: the page ends too early',
      );
    }
  });
});

const page = (body: string) =>
  `<html><title>TJMG - Pesquisa por Jurisprud&ecirc;ncia</title><body>${body}</body></html>`;

/** A result as the pages print it. */
const card = (ementa: string, julgamento = '15/04/2020', publicacao = '30/04/2020') =>
  page(
    '<div class="caixa_processo">1 - Processo: Apelação Criminal <br /> 1.0105.17.040812-1/003</div>' +
      `<div class="corpo"><strong>Data de Julgamento:</strong>\n ${julgamento}\n</div>` +
      `<div class="corpo"><strong>Data da publica&ccedil;&atilde;o da s&uacute;mula:</strong> ${publicacao}</div>` +
      `<div class="corpo"><strong>Ementa:</strong>\n${ementa}\n</div>`,
  );
const documentoOf = async (text: string) => (await read(tjmgHtml, 'tjmg', text)).documentos[0]!;

describe('a page of the TJMG', () => {
  test.each([
    ['<CABBCACBADDACABAABDCDBAACBCCBADDAAAADDADAAAD>\r<br />EMENTA: APELAÇÃO.', 'APELAÇÃO.'],
    ['<CABBCACBADDACABAABDCDBAACBCCBADDAAAADDADAAAD><br />APELAÇÃO.', 'APELAÇÃO.'],
    ['<CABBCACBADDACABAABDCDBAACBCCBADDAAAADDADAAAD><br />< EMENTA: APELAÇÃO.', 'APELAÇÃO.'],
    [
      '<br />EMENTA: <<RECURSO CONHECIDO - NÃO PROVIDO.\r<br />Texto.>',
      'RECURSO CONHECIDO - NÃO PROVIDO.\nTexto.',
    ],
    ['<br />EMENTA: <EM RECURSO, PROVIDO.<br />Texto.', 'EM RECURSO, PROVIDO.\nTexto.'],
    ['<br />EMENTA: Pena <4 anos, idade <RECURSO. <b>Texto</b>.', 'Pena <4 anos, idade <RECURSO. Texto.'],
  ])('of an ementa with a stray mark loses no word of it: %s', async (ementa, meant) => {
    expect((await documentoOf(card(ementa))).ementa).toBe(meant);
  });

  test('keeps in extras a printed date whose century nothing proves', async () => {
    expect(await documentoOf(card('x', '15/04/0020', '30/04/0020'))).toMatchObject({
      data_julgamento: null,
      data_publicacao: null,
      extras: { data_julgamento: '15/04/0020', data_publicacao: '30/04/0020' },
    });
  });

  test('has a result without its own number rejected, even with a CNJ number', async () => {
    const { rejects } = await read(
      tjmgHtml,
      'tjmg',
      page('<div class="caixa_processo">1 - Processo: X <br> 0042948-04.2016.8.13.0407 (1)</div>'),
    );
    expect(rejects).toEqual([expect.stringMatching(/^result 1: TJMG number: missing/)]);
  });
});
