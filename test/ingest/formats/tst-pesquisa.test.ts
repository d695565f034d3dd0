import { describe, expect, test } from 'vitest';
import { recordJson } from '../../../src/index/format/record.ts';
import { tstPesquisa } from '../../../src/ingest/formats/tst-pesquisa.ts';
import { hasOrigens, read, readOrigem } from './support.ts';

const PAGE = 'tst/pesquisa-pagina.json';

/** Copied from the raw page: its place there, and its fields. */
type Row = readonly [
  place: number,
  id: string,
  processo: string,
  sigla: string,
  ementaBegins: string,
  ementaEnds: string,
  dispositivoBegins: string,
  dispositivoEnds: string,
  temas: readonly string[] | null,
];
// prettier-ignore
const ROWS: readonly Row[] = [
  [1, '4539babf3314a074f5da11f2c5445100', 'AIRR - 850-43.2017.5.13.0011', 'AIRR', 'AGRAVO DE INSTRUMENTO EM RECURSO DE REVISTA. INTERPOSIÇÃO', 'conhecido e não provido .', 'à unanimidade, conhecer do Agravo', 'negar-lhe provimento.', null],
  [2, '7cfcf91e2ed9021f55fbf6e0b96058b6', 'RR - 1000574-82.2016.5.02.0351', 'RR', 'AGRAVO INTERNO EM RECURSO DE REVISTA. INTERPOSIÇÃO', 'Revista não conhecido .', 'à unanimidade: I - conhecer', 'Revista do reclamante.', ['Gratificação', 'Horas Extras']],
  [3, '4e6e3f40c2976cd991397bec165fe2ab', 'RR - 783-96.2021.5.09.0028', 'RR', 'AGRAVO DE INSTRUMENTO EM RECURSO DE REVISTA INTERPOSTO', 'conhecido e provido.', 'à unanimidade: I - conhecer', 'dos demais aspectos recursais.', null],
  [4, '759258f5c30cf39e881af8617e2e8d6e', 'RR - 359-51.2021.5.11.0011', 'RR', 'AGRAVO DE INSTRUMENTO EM RECURSO DE REVISTA INTERPOSTO', 'conhecido e provido.', 'à unanimidade: I - conhecer', 'dos demais aspectos recursais.', ['Ente Público']],
  [5, '1bbb2c4cb05f69b0a4914c5e38a964a6', 'RR - 1099-55.2016.5.05.0462', 'RR', 'AGRAVO INTERNO EM AGRAVO DE INSTRUMENTO', 'conhecido e provido.', 'à unanimidade: I - conhecer', 'exame das demais matérias.', ['Horas Extras', 'Reserva de Plenário', 'Ente Público', 'Repercussão Geral', 'Ônus da Prova']],
  [28, '8e7043063bda717db24e6f65db8ecfc5', 'RR - 76300-37.2006.5.06.0022', 'RR', 'RECURSO DE REVISTA. APELO APRECIADO ANTERIORMENTE', 'conhecido e provido.', 'à unanimidade, conhecer do Recurso de Revista', 'demais temas recursais.', ['Responsabilidade Solidária / Subsidiária', 'Julgamento Extra / Ultra / Citra Petita']],
  [30, '7f78b002475e21fa710e722cf010a80b', 'RR - 9640-29.2005.5.10.0008', 'RR', 'RECURSO DE REVISTA. APELO APRECIADO ANTERIORMENTE', 'conhecido e provido.', 'à unanimidade, conhecer do Recurso de Revista', 'demais temas recursais.', null],
  [33, 'bba4beee86b426a9bb2557b68b5ea744', 'Ag-AIRR - 595-02.2016.5.07.0007', 'Ag', 'AGRAVO INTERNO EM AGRAVO DE INSTRUMENTO', 'conhecido e não provido.', 'à unanimidade, conhecer do Agravo Interno', 'negar-lhe provimento.', null],
  [34, 'a6b7d466fde79c3dc5b76d5660fc5612', 'ED-Ag-AIRR - 20162-82.2018.5.04.0831', 'ED', 'EMBARGOS DE DECLARAÇÃO. AUSÊNCIA DE OMISSÃO', 'conhecidos e não providos .', 'à unanimidade, conhecer dos Embargos', 'negar-lhes provimento.', ['Ente Público', 'Empreitada / Dono da Obra']],
  [41, 'd8580edaeef3a257d18dcc5e99d87ea4', 'ED-RR - 11070-68.2015.5.01.0411', 'ED', 'EMBARGOS DE DECLARAÇÃO DO RECLAMANTE.', 'com efeito modificativo.', 'à unanimidade, conhecer dos Embargos', 'R$ 5.000,00 (cinco mil reais).', ['Reconhecimento de Relação de Emprego', 'Divisor', 'Negativa de Prestação Jurisdicional']],
  [45, '1d74c035fe4cb82460f4e3606870721d', 'ED-Ag-AIRR - 122-70.2019.5.11.0016', 'ED', 'EMBARGOS DE DECLARAÇÃO. AUSÊNCIA DE OMISSÃO', 'conhecidos e não providos .', 'à unanimidade, conhecer dos Embargos', 'negar-lhes provimento.', ['Indenização por Dano Moral', 'Ente Público', 'Ônus da Prova']],
  [50, '10498e224787528502a19cc403a77970', 'ED-Ag-AIRR - 1954-55.2016.5.11.0013', 'ED', 'EMBARGOS DE DECLARAÇÃO. RESPONSABILIDADE SUBSIDIÁR', 'conhecidos e não providos.', 'à unanimidade, conhecer dos Embargos', 'negar-lhes provimento.', ['Multa do Artigo 477 da CLT', 'Competência', 'Acúmulo de Função', 'Ente Público', 'Cerceamento de Defesa', 'Condições da Ação']],
];

describe.skipIf(!hasOrigens())('a real page of the TST', () => {
  test.each(ROWS)(
    'has its result %i mapped field by field',
    async (place, id, processo, sigla, ementaBegins, ementaEnds, begins, ends, temas) => {
      const { decisoes, documentos } = await readOrigem(tstPesquisa, 'tst', PAGE);
      const documento = documentos[place - 1]!;
      expect(decisoes[place - 1]!.chave).toBe(id);
      expect(documento).toMatchObject({
        fonte: 'TST',
        tipo: 'acordao',
        processo,
        classe: { sigla, descricao: null },
        orgao_julgador: '1ª Turma',
        relator: 'Luiz Jose Dezena da Silva',
        redator: null,
        data_julgamento: '2023-05-24',
        data_publicacao: '2023-05-30',
        tese: null,
        inteiro_teor: { existe_na_origem: true, caracteres: expect.any(Number) },
        citacao: null,
        legislacao_citada: null,
        extras: { id_origem: id, indTipAcordao: 'R' },
      });
      const { ementa, dispositivo } = documento;
      expect(ementa!.startsWith(ementaBegins) && ementa!.endsWith(ementaEnds)).toBe(true);
      expect(ementa).not.toContain('\n');
      expect(dispositivo!.startsWith(begins) && dispositivo!.endsWith(ends)).toBe(true);
      expect(documento.temas?.slice(0, temas?.length) ?? null).toEqual(temas);
    },
  );

  test('has the length of its full text, and nothing of the text', async () => {
    const { documentos } = await readOrigem(tstPesquisa, 'tst', PAGE);
    // The first: 60,330 characters of HTML, of which these are text.
    expect(documentos[0]!.inteiro_teor.caracteres).toBe(35_718);
    expect(documentos.every((one) => one.ementa_status === 'completa')).toBe(true);
    const stored = JSON.stringify(documentos);
    expect(stored).not.toMatch(/removido no backend|A C Ó R D Ã O|<\/?(?:p|span|b)\b/u);
  });

  test('written for documentation is mapped too', async () => {
    const file = 'tst/tst_jurisprudencia_responsabilidade.json';
    const { documentos } = await readOrigem(tstPesquisa, 'tst', file);
    expect(documentos).toHaveLength(1);
    expect(documentos[0]).toMatchObject({
      processo: 'RR - 0012345-67.2024.5.15.0001',
      relator: 'Ministro de Exemplo',
      data_julgamento: '2026-07-01',
      data_publicacao: '2026-07-10',
      dispositivo: 'Recurso de revista conhecido e provido.',
      inteiro_teor: { existe_na_origem: true, caracteres: 43 },
    });
    expect(tstPesquisa.changedAt?.(documentos[0]!.extras)).toBe('2026-07-11T08:00:00-03');
  });
});

const page = (...registros: readonly object[]) =>
  JSON.stringify({
    tempoGasto: 1,
    totalRegistros: registros.length,
    registros: registros.map((registro) => ({ registro, destaques: {} })),
  });
const tst = (...registros: readonly object[]) => read(tstPesquisa, 'tst', page(...registros));
const verbete = {
  id: 'a1',
  numero: 331,
  orgaoJudicante: { descricao: 'Subseção I Especializada em Dissídios Individuais', sigla: 'SBDI-1' },
  titulo: 'CONTRATO DE PRESTAÇÃO DE SERVIÇOS ¿ LEGALIDADE',
  tese: 'I ¿ A contratação é ilegal.<br>II ¿ Não gera vínculo.',
  situacao: { descricao: 'CANCELADA' },
  observacao: '(Res. 1/2000)',
};

test('has an acórdão’s ementa without the heading above it', async () => {
  const ementa = '\n  \n    EMENTA\n   \n   AGRAVO.\n   Não provido.\n';
  const { documentos } = await tst({ id: '1', tipo: { codigoTipoJurisprudencia: 'ACORDAO' }, ementa });
  expect(documentos[0]!.ementa).toBe('AGRAVO. Não provido.');
});

/** By hand: of these types no raw page was at hand. */
describe('a record of the TST', () => {
  test.each([
    ['SUM', 'sumula', 'Súmula 331'],
    ['OJ', 'orientacao_jurisprudencial', 'Orientação Jurisprudencial 331 (SBDI-1)'],
    ['OJT', 'orientacao_jurisprudencial', 'Orientação Jurisprudencial Transitória 331 (SBDI-1)'],
    ['PN', 'precedente_normativo', 'Precedente Normativo 331'],
  ])('of the type %s is a %s, with its text as ementa and tese', async (code, tipo, processo) => {
    const { documentos } = await tst({ ...verbete, tipo: { codigoTipoJurisprudencia: code } });
    expect(documentos[0]).toMatchObject({
      tipo,
      processo,
      classe: { sigla: null, descricao: null },
      ementa:
        'CONTRATO DE PRESTAÇÃO DE SERVIÇOS – LEGALIDADE\nI – A contratação é ilegal.\nII – Não gera vínculo.',
      tese: 'I – A contratação é ilegal.\nII – Não gera vínculo.',
      extras: { situacao: { descricao: 'CANCELADA' }, observacao: '(Res. 1/2000)' },
    });
  });

  test.each([
    [{ codigoTipoJurisprudencia: 'DESPACHO', nome: 'Despacho' }, 'decisao_monocratica'],
    [{ codigoTipoJurisprudencia: 'DP', nome: 'Decisão da Presidência' }, 'decisao_presidencia'],
    [{ codigoTipoJurisprudencia: 'DVP', nome: 'Decisão da Vice-Presidência' }, 'decisao_vice_presidencia'],
    [{ codigoTipoJurisprudencia: 'DC', nome: 'Decisão da Corregedoria-Geral' }, 'decisao_corregedoria'],
  ])('of the type %j is a %s, found by its text, which is not stored', async (tipo, expected) => {
    const { decisoes, documentos } = await tst({
      id: 'd1',
      tipo,
      numFormatado: 'AIRR - 1-02.2020.5.01.0001',
      ementa: 'removido no backend',
      nomRelator: 'fulano da silva',
      nomRelatorSemTratamento: 'FULANO DA SÍLVA',
      inteiroTeorHTMLHighlight:
        '<html><head><style>p{x}</style></head><body><p>Nego <b>seguimento</b> &amp; publico.</p></body></html>',
    });
    expect(documentos[0]).toMatchObject({
      tipo: expected,
      relator: 'FULANO DA SÍLVA',
      ementa: null,
      ementa_status: 'ausente',
      inteiro_teor: { existe_na_origem: true, caracteres: 'Nego seguimento & publico.'.length },
    });
    expect(decisoes[0]!.indexed.ementa).toBe('Nego seguimento & publico.');
    expect(recordJson('tst', 1, decisoes[0]!).documento).not.toContain('seguimento');
  });

  test.each([
    ['DESPGP', undefined, 'decisao_presidencia'],
    ['DESPGVP', undefined, 'decisao_vice_presidencia'],
    ['DESPGCG', undefined, 'decisao_corregedoria'],
    ['DESPGP', 'Despacho', 'decisao_presidencia'],
  ])('of the type %s, named %s, is a %s', async (codigoTipoJurisprudencia, nome, tipo) => {
    const { documentos } = await tst({ id: '1', tipo: { codigoTipoJurisprudencia, nome } });
    expect(documentos[0]).toMatchObject({ tipo });
  });

  test.each(['txtConteudoDecisao', 'txtConteudoDecisaoHighlight', 'txtInteiroTeor'])(
    'that is a despacho is found by its text in %s, which is measured and not stored',
    async (name) => {
      const registro = { id: '1', tipo: { codigoTipoJurisprudencia: 'DESPACHO' } };
      const text = 'Nego <em>seguimento</em> ao urutau.';
      const { decisoes, documentos } = await tst({ ...registro, [name]: text });
      expect(decisoes[0]!.indexed.ementa).toBe('Nego seguimento ao urutau.');
      expect(documentos[0]!.inteiro_teor.caracteres).toBe('Nego seguimento ao urutau.'.length);
      expect(JSON.stringify(documentos[0])).not.toContain('urutau');
    },
  );

  test.each([
    [{ orgao: { sigla: 'CSJT' } }, 'orgao CSJT'],
    [{ orgao: { sigla: 'TRT3' } }, 'orgao TRT3'],
    [{ orgao: 'TRT da 3ª Região' }, 'orgao TRT da 3ª Região'],
    [
      { orgao: { nome: 'Conselho Superior da Justiça do Trabalho' } },
      'orgao Conselho Superior da Justiça do Trabalho',
    ],
    [{ orgao: { sigla: 'TST', nome: 'TRT da 1ª Região' } }, 'orgao TRT da 1ª Região'],
    [{ orgaoJudicante: { sigla: 'CSJT' } }, 'orgao CSJT'],
  ])('of another body is left out, with its name as the reason: %j', async (fields, reason) => {
    const registro = { id: '1', tipo: { codigoTipoJurisprudencia: 'ACORDAO' } };
    expect((await tst({ ...registro, ...fields })).leftOut).toEqual([reason]);
  });

  test('of no type of the contract is left out, and one without an id rejected', async () => {
    const { leftOut, rejects } = await tst(
      { id: '1', tipo: { codigoTipoJurisprudencia: 'XYZ', nome: 'Outro' } },
      { tipo: { codigoTipoJurisprudencia: 'ACORDAO' } },
    );
    expect(leftOut).toEqual(['tipo XYZ Outro']);
    expect(rejects).toEqual([expect.stringMatching(/^registro 2: id: missing/)]);
  });

  test('keeps no CPF and no text that may be the decision, under any name', async () => {
    const { documentos } = await tst({
      id: '1',
      tipo: { codigoTipoJurisprudencia: 'ACORDAO' },
      codCPFSignatario: '12345678909',
      txtConteudoDecisaoHighlight: 'texto',
      campoNovo: 'x'.repeat(5_001),
      outroNovo: 'curto',
    });
    expect(documentos[0]!.extras).toEqual({ id_origem: '1', outroNovo: 'curto' });
  });
});

test('several pages in one file are read in turn', async () => {
  const two = page({ ...verbete, tipo: { codigoTipoJurisprudencia: 'SUM' } });
  expect((await read(tstPesquisa, 'tst', `${two}\n${two}`)).documentos).toHaveLength(2);
});
