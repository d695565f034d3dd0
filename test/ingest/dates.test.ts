import { describe, expect, test } from 'vitest';
import { recordJson } from '../../src/index/format/record.ts';
import type { Documento } from '../../src/contract/documento.ts';
import { readLine } from '../../src/ingest/canonical.ts';
import { lastDays, possibleDates } from '../../src/ingest/dates.ts';
import { toDecisao } from '../../src/ingest/decisao.ts';

const NOON = '2026-03-10T12:00:00Z';
const on = (now: string) => lastDays(new Date(now));

describe('the date of a judgment', () => {
  test.each([
    ['1800-01-01', '1800-01-01'],
    ['1799-12-31', null],
    ['0001-01-01', null],
    ['2026-03-11', '2026-03-11'],
    ['2026-03-12', null],
    ['9999-12-31', null],
    ['2023-02-29', null],
    ['0000-00-00', null],
  ])('of %s is %s, for it lies from 1800 to tomorrow', (judged, date) => {
    expect(possibleDates({ judged, published: null }, on(NOON)).judged).toBe(date);
  });

  test('may be tomorrow, to the last moment of the day', () => {
    const judged = '2026-03-12';
    const none = { judged: null, published: null };
    expect(possibleDates({ judged, published: null }, on('2026-03-10T23:59:59.999Z'))).toEqual(none);
    expect(possibleDates({ judged, published: null }, on('2026-03-11T00:00:00Z')).judged).toBe(judged);
  });

  test.each([
    ['0020-04-15', '2020-04-30', '2020-04-15'],
    ['0018-12-19', '2019-01-23', '2018-12-19'],
    ['0099-12-20', '2000-02-01', '1999-12-20'],
    ['0000-03-01', '2000-03-02', '2000-03-01'],
    ['0000-02-29', '2000-03-02', '2000-02-29'],
    ['0004-02-29', '1904-03-02', '1904-02-29'],
    ['0020-04-30', '2020-04-30', '2020-04-30'],
    // The other date proves nothing: it is missing, impossible, earlier, or a life away.
    ['0020-04-15', null, null],
    ['0020-04-15', '0020-04-30', null],
    ['0020-04-15', '2020-04-14', null],
    ['0021-04-15', '2020-04-30', null],
    ['0050-04-15', '2020-04-30', null],
    ['0000-02-29', '1900-03-02', null],
    ['0000-00-00', '2000-03-02', null],
    ['0120-04-15', '2020-04-30', null],
    ['1020-04-15', '2020-04-30', null],
  ])('of %s, published on %s, is %s', (judged, published, date) => {
    expect(possibleDates({ judged, published }, on(NOON)).judged).toBe(date);
  });
});

describe('the date of a publication', () => {
  test.each([
    ['1799-12-31', null],
    ['2026-05-09', '2026-05-09'],
    ['2026-05-10', null],
    ['2062-03-10', null],
  ])('of %s is %s, for it may be announced, but not years ahead', (published, date) => {
    expect(possibleDates({ judged: null, published }, on(NOON)).published).toBe(date);
  });

  test.each([
    ['0020-04-30', '2020-04-15', '2020-04-30'],
    ['0020-01-07', '2019-12-18', '2020-01-07'],
    ['0020-04-30', '2020-05-15', null],
    ['0020-04-30', null, null],
  ])('of %s, judged on %s, is %s', (published, judged, date) => {
    expect(possibleDates({ judged, published }, on(NOON)).published).toBe(date);
  });
});

describe('a canonical line', () => {
  const read = (fields: string, now = NOON) => {
    const linha = readLine(`{"tipo":"acordao","chave":"1",${fields}}`, 'stj', on(now));
    if (typeof linha === 'string') throw new Error(linha);
    const decisao = toDecisao(linha);
    const { julgamento, publicacao } = decisao;
    const { documento } = recordJson('stj', 1, decisao);
    const record = JSON.parse(documento) as Documento;
    return { linha, documento, record, julgamento, publicacao };
  };

  test('with an impossible judgment date has null, and the date in extras', () => {
    const { record, julgamento } = read('"data_julgamento":"0020-04-15","extras":{"b":1.0,"a":2}');
    expect(record).toMatchObject({ data_julgamento: null, data_publicacao: null });
    expect(julgamento).toBe(0);
    expect(record.extras).toEqual({ b: 1, a: 2, data_julgamento: '0020-04-15' });
  });

  test('keeps all other extras exactly', () => {
    const { documento } = read('"extras": { "b": 1.0, "2": [1e3] },"data_publicacao":"31/02/2020"');
    expect(documento).toContain('"extras":{ "b": 1.0, "2": [1e3] ,"data_publicacao":"31/02/2020"}');
  });

  test.each(['', ',"extras":null', ',"extras":{}', ',"extras": { }'])(
    'with an impossible date and %j as extras has that date in new extras',
    (extras) => {
      expect(read(`"data_julgamento":"2062-04-15"${extras}`).record.extras).toEqual({
        data_julgamento: '2062-04-15',
      });
    },
  );

  test('with a member of that name in extras keeps that member', () => {
    const { record } = read('"data_julgamento":"0020-04-15","extras":{"data_julgamento":"15/04/0020"}');
    expect(record.extras).toEqual({ data_julgamento: '15/04/0020' });
  });

  test('with another date that proves the century has the right year, and the original in extras', () => {
    const { record, julgamento } = read('"data_julgamento":"0020-04-15","data_publicacao":"2020-04-30"');
    expect(record).toMatchObject({
      data_julgamento: '2020-04-15',
      data_publicacao: '2020-04-30',
      extras: { data_julgamento: '0020-04-15' },
    });
    expect(julgamento).toBe(20_200_415);
  });

  test.each(['null', '"-"', '"None"', '""', '20200415', '{"a":1}', `"${'x'.repeat(200)}"`])(
    'with %s for a date has null, and nothing in extras',
    (value) => {
      expect(read(`"data_julgamento":${value}`).record).toMatchObject({ data_julgamento: null, extras: {} });
    },
  );

  test('gets its date once the day has come on which it can be true', () => {
    const line = '"data_julgamento":"2026-03-12"';
    const early = read(line);
    const nextDay = read(line, '2026-03-11T12:00:00Z');
    expect(early.record.data_julgamento).toBeNull();
    expect(nextDay.record.data_julgamento).toBe('2026-03-12');
    expect(nextDay.linha.digest.equals(early.linha.digest)).toBe(false);
    expect(read(line, '2026-03-10T13:00:00Z').linha.digest.equals(early.linha.digest)).toBe(true);
    expect(read(line, '2027-01-01T00:00:00Z').linha.digest.equals(nextDay.linha.digest)).toBe(true);
  });

  test('without a key is identified by its content, on any day', () => {
    const line = '{"tipo":"acordao","data_julgamento":"2026-03-12"}';
    const keyOn = (now: string) => (readLine(line, 'stj', on(now)) as { chave: string }).chave;
    expect(keyOn(NOON)).toBe(keyOn('2027-01-01T00:00:00Z'));
  });
});
