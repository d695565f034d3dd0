import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { citationsIn } from '../../src/client/citations.ts';
import { CITATIONS_FILE, hasCorpora } from '../support/corpora.ts';

/** What is read, one line a citation: classes, number, court, state. */
const read = (text: string) =>
  citationsIn(text).map(({ classes, numero, tribunal, uf }) =>
    [classes.join(' '), numero, tribunal, uf]
      .map((part) => part ?? '–')
      .join(' ')
      .trim(),
  );

describe('a case number', () => {
  test.each([
    ['processo 0001000-40.2015.5.02.0001', '0001000-40.2015.5.02.0001 – –'],
    ['processo 00010004020155020001', '0001000-40.2015.5.02.0001 – –'],
    ['RR-1000-40.2015.5.02.0001', 'rr 0001000-40.2015.5.02.0001 tst –'],
    ['Recurso de Revista n° TST-Ag-AIRR-1188-98.2014.5.03.0011', 'ag airr 0001188-98.2014.5.03.0011 tst –'],
    ['AgR-REspe no68-49.201 6.6.26.03591SP', 'agr respe 0000068-49.2016.6.26.0359 tse SP'],
    ['autos nº 5012924-20.2012.404.7200', '5012924-20.2012.4.04.7200 – –'],
    ['TJMG - Apelação Cível 1.0024.12.345678-9/001', 'ac 1.0024.12.345678-9/001 tjmg –'],
    ['Número Registro: 2015⁄0282121-1', '2015/0282121-1 – –'],
  ])('is read from %s', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

describe('a class with a number', () => {
  test.each([
    ['REsp 1.234.567/SP', 'resp 1234567 stj SP'],
    ['Recurso Especial nº 1234567 - SP', 'resp 1234567 stj SP'],
    ['Negou-se. E no REsp 1.234.567/SP também.', 'resp 1234567 stj SP'],
    ['AgRg no AREsp n. 123.456⁄DF', 'agr aresp 123456 stj DF'],
    ['HC n º 99.743', 'hc 99743 – –'],
    ['HC no123.456', 'hc 123456 – –'],
    ['RE 601.700-AgR', 're agr 601700 stf –'],
    ['RE 123.456 RG', 're rg 123456 stf –'],
    ['HC 151914 A GR / ES', 'hc agr 151914 – ES'],
    ['ADI n.º 1405-6/DF', 'adi 1405 stf DF'],
    ['AI 30-37', 'ai 30-37 – –'],
    ['(STJ, HC 123.456/SP)', 'hc 123456 stj SP'],
    ['o Superior Tribunal de Justiça, no RMS 12.345/MG', 'rms 12345 stj MG'],
    ['Ação Direta de Inconstitucionalidade por Omissão - ADO 22', 'ado 22 stf –'],
  ])('is read from %s', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it('applies to the numbers that follow it', () => {
    expect(read('HCs 1.111/SP e 2.222/RJ; REsps 1.583.083, 1.597.380 e 1.609.067')).toEqual([
      'hc 1111 – SP',
      'hc 2222 – RJ',
      'resp 1583083 stj –',
      'resp 1597380 stj –',
      'resp 1609067 stj –',
    ]);
  });

  it('is not read from text that only resembles it', () => {
    const texts = 'OAB/MS 12.345|Boa Vista-RR 69301-000|art. 186 do CC 2002|E 5 anos|Rio de Janeiro, AP 3';
    expect(texts.split('|').flatMap(read)).toEqual([]);
  });

  it('is reported even if its number cannot be read', () => {
    expect(read('o REsp n. 1.2O4.567/SP e o HC nº XXX')).toEqual(['resp – stj –', 'hc – – –']);
  });
});

describe('a súmula', () => {
  test.each([
    ['Súmula 331, V e VI, do TST', ['331 tst –']],
    ['Súmula n. 07/STJ', ['7 stj –']],
    ['Súmulas 5 e 7 do STJ', ['5 stj –', '7 stj –']],
    ['verbetes sumulares 282 do STF e 26 do TSE', ['282 stf –', '26 tse –']],
    ['enunciado n. 691 da Súmula do Supremo Tribunal Federal', ['691 stf –']],
    ['Súmula Vinculante 10', ['10 stf –']],
    ['Súm. 326/STF', ['326 stf –']],
    ['Súmulas 326 (STF) e 41 (TNU)', ['326 stf –', '41 tnu –']],
    ['OJ 382/SBDI-1/TST', ['382 tst –']],
    ['Súmula nº 3 desta Corte', ['3 – –']],
  ])('is read from %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe('near a citation', () => {
  const text =
    'REsp 1.234.567/SP, Rel. Min. Nancy Andrighi, Rel. p/ acórdão Ministro João Otávio de Noronha, Terceira Turma, ' +
    'julgado em 1º de março de 2019, DJe 7.3.19; HC 1.111/SP, Min. Fulana, 2010.';
  it('judges and dates are assigned to the citation that they follow', () => {
    const [first, second] = citationsIn(text);
    expect(first).toMatchObject({
      judges: ['Nancy Andrighi', 'Joao Otavio de Noronha'],
      dates: [
        { day: '2019-03-01', kind: 'julgamento' },
        { day: '2019-03-07', kind: 'publicacao' },
      ],
    });
    expect(second?.judges).toEqual(['Fulana']);
  });

  it.each([
    'REsp 1.234.567/SP, que reformou acórdão do TJMG de 12/3/2010',
    'REsp 1.234.567/SP, o Tribunal de Justiça de Minas Gerais negou o pedido, Lei 8.078, de 11 de setembro de 1990',
    'REsp 1.234.567/SP. IMPETRADO: TRIBUNAL REGIONAL FEDERAL DA 6ª REGIÃO. ELEIÇÕES 2016',
    'REsp 1.234.567/SP, Ministério Público Estadual, eleições de 2016',
  ])('the court or date of something else is not taken for its own: %s', (others) => {
    expect(citationsIn(others)[0]).toMatchObject({ tribunal: 'stj', judges: [], dates: [] });
  });

  it('the court from which a judge was called is not taken for its own', () => {
    const [cited] = citationsIn(
      'REsp 1.234.567/SP, Min. Fulana (Desembargadora convocada do TJ/SP), DJe 1/2/2018',
    );
    expect(cited).toMatchObject({ tribunal: 'stj', judges: ['Fulana'] });
  });

  it.each(['RELATOR(A): MINISTRO(A) FULANA DE TAL', 'Relator(a) Min. Fulana de Tal'])(
    'a judge is read from %s',
    (written) => {
      const [cited] = citationsIn(`REsp 1.234.567/SP, ${written}, DJe 1/2/2018`);
      expect(cited?.judges.map((judge) => judge.toLowerCase())).toEqual(['fulana de tal']);
    },
  );

  it.each(['', '\n', ';'])('a court named last belongs to it, before %j', (end) => {
    const said = `REsp 1.234.567/SP, Min. Fulana, TST${end}`;
    expect(read(said)).toEqual(['resp 1234567 tst SP']);
    if (end !== '') expect(read(`${said} HC 99.743/SP`)[0]).toBe('resp 1234567 tst SP');
  });

  it('the date of one citation is not taken for that of the next', () => {
    const [, second] = citationsIn(
      'o HC 877.480/DF, Rel. Mm. Fulana, julgado em 26.4.2016 e o HC 892.170/DF, de 2017',
    );
    expect(second?.dates).toEqual([{ day: '2017', kind: null }]);
  });

  it('the name of a regional court counts in capitals too', () => {
    expect(read('AC 1.234.567, TRIBUNAL REGIONAL FEDERAL DA 3ª REGIÃO')).toEqual(['ac 1234567 trf3 –']);
  });

  it('offsets are UTF-16 units of the original text', () => {
    const accents = `Ação 🏛 ${text}`;
    for (const { texto, inicio, fim } of citationsIn(accents)) expect(accents.slice(inicio, fim)).toBe(texto);
  });
});

it('reading a hostile text takes linear time', () => {
  const units = 'HC 1.111 e |HC |1.|1-|AgRg no |Súmula |Rel. |Rel. Min. A |ação direta de |HC 1(1)'.split(
    '|',
  );
  const cpu = (text: string) => {
    const { user } = process.cpuUsage();
    citationsIn(text);
    return process.cpuUsage().user - user;
  };
  for (const unit of [...units, `HC ${' '.repeat(5_000)}`, `HC 1, Rel. ${'Abc '.repeat(2_000)}`]) {
    const one = unit.repeat(Math.ceil(40_000 / unit.length));
    cpu(one);
    // Were it quadratic, the ratio would be 64.
    expect(cpu(one.repeat(8)), unit.slice(0, 20)).toBeLessThan(32 * Math.max(cpu(one), 4_000));
  }
});

it.runIf(hasCorpora())('reads the citations that people marked in judgments', () => {
  const lines = readFileSync(CITATIONS_FILE, 'utf8').trim().split('\n');
  const digits = (text: string) => text.replaceAll(/\D/gu, '').replace(/^0+/u, '');
  let [spans, found, right] = [0, 0, 0];
  for (const line of lines) {
    const { texto, citacoes } = JSON.parse(line) as { texto: string; citacoes: string[] };
    const all = citationsIn(texto);
    let from = 0;
    for (const span of citacoes) {
      const start = texto.indexOf(span, from);
      if (start < 0) continue;
      from = start + span.length;
      const isStatement = /s[úu]mul|\bOJ|orientação|enunciado/iu.test(span);
      const isOther = /ac[óo]rd[ãa]o|decis|\blei\b|art\.|TC \d|emenda|RT\b|LEX|MP |processo 0/iu.test(span);
      const isCase =
        /\d-\d\d\.|\d{6}-\d\/|\d[/⁄]\d{7}-/u.test(span) ||
        (/[a-zà-ú]{2}|[A-Z]{2}/u.test(span) && /\d/u.test(span));
      if (isOther || (!isStatement && !isCase)) continue;
      spans += 1;
      const own = all.filter(({ inicio, fim }) => inicio < from && fim > start);
      if (own.length > 0) found += 1;
      const fits = (one: string, other: string) => digits(one).includes(digits(other));
      if (own.some(({ numero }) => numero !== null && (fits(span, numero) || fits(numero, span)))) right += 1;
    }
  }
  expect(spans).toBeGreaterThan(900);
  expect(found / spans).toBeGreaterThan(0.95);
  expect(right / found).toBeGreaterThan(0.98);
});
