import { renameSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { WAIT } from '../support/patience.ts';
import { served } from '../support/served.ts';
import { acordao } from './checks.ts';

const service = served({
  stj: [acordao('dano moral'), acordao('dano material'), acordao('ação rescisória')],
  stf: [acordao('pensão alimentícia'), acordao('dano estético')],
  tst: Array.from({ length: 60 }, (_, at) => acordao(`horas extras ${at}`)),
});

async function absent(q: string, others: Record<string, string> = {}): Promise<string | null> {
  const { status, headers } = await service.busca({ q, tribunal: 'stj,stf', ...others });
  expect(status).toBe(200);
  return headers.get('jurisprudencia-termos-ausentes');
}

describe.each(['relevancia', 'recentes'])('an answer by %s names in its header', (ordem) => {
  it.each<[string, string, string | null, Record<string, string>?]>([
    ['in the order of the query', 'quaisquer dano xenoglossia', 'quaisquer,xenoglossia'],
    ['none where each word is somewhere, in whichever base', 'rescisória pensão', null],
    ['one that only a base has that was not asked', 'horas', 'horas'],
    ['none that a base asked has', 'horas', null, { tribunal: 'stj,tst' }],
    [
      'as bases read them, percent-encoded',
      'Existências "ßtraße λόγος"',
      'existencias,%C3%9Ftra%C3%9Fe,%CE%BB%CF%8C%CE%B3%CE%BF%CF%83',
    ],
    ['a prefix that begins no word, with its star', 'dan* OR xilof* OR xenoglossi*', 'xilof*,xenoglossi*'],
    [
      'of a phrase, and not those that the search excludes',
      '"dano xenoglossia" NOT quaisquer',
      'xenoglossia',
    ],
    ['none that is there but for the filter', 'pensão', null, { data_de: '2999-01-01' }],
    ['none that is there but for the column', 'tese : "pensão"', null],
    ['with others that find less than a page', 'dano OR xenoglossia', 'xenoglossia'],
  ])('the words that no decision of the bases asked has: %s', async (_, q, expected, others = {}) => {
    expect(await absent(q, { ordem, ...others })).toBe(expected);
  });
});

describe('an answer names no absent words', () => {
  it('on a full page, for which none are looked up', async () => {
    expect(await absent('horas OR xenoglossia', { tribunal: 'tst', limite: '10' })).toBeNull();
  });
  it('after the first page', async () => {
    const first = await service.busca({ q: 'horas OR xenoglossia', tribunal: 'tst', limite: '50' });
    expect(first.body.proximo_cursor).not.toBeNull();
    const cursor = first.body.proximo_cursor ?? '';
    expect(await absent('horas OR xenoglossia', { tribunal: 'tst', limite: '50', cursor })).toBeNull();
  });
  it('beyond the length of its header, and no part of a word', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `λόγος${at}`);
    const header = (await absent(words.join(' ').slice(0, 300))) ?? '';
    expect(header.length).toBeGreaterThan(900);
    expect(header.length).toBeLessThanOrEqual(1_000);
    const named = header.split(',');
    // The cut is marked.
    expect(named.pop()).toBe('%E2%80%A6');
    for (const word of named) expect(decodeURIComponent(word)).toMatch(/^λόγοσ\d+$/u);
  });
  it('that exceed the header’s length, but a mark that there are more', async () => {
    // Each of these letters takes nine characters.
    expect(await absent('\u4e00'.repeat(111))).toHaveLength(999);
    expect(await absent('\u4e00'.repeat(112))).toBe('%E2%80%A6');
    expect(await absent(`ab ${'\u4e00'.repeat(112)}`)).toBe('ab,%E2%80%A6');
  });
  it('while a base did not answer, which may have them', async () => {
    const file = baseFile(service.dataDir, 'stf');
    renameSync(file, `${file}.away`);
    try {
      // A file that is gone is noticed within a second.
      await vi.waitFor(async () => {
        const { body, headers } = await service.busca({ q: 'ornitorrinco', tribunal: 'stj,stf' });
        expect(body.bases_sem_resposta.map(({ base }) => base)).toEqual(['stf']);
        expect(headers.get('jurisprudencia-termos-ausentes')).toBeNull();
      }, WAIT);
    } finally {
      renameSync(`${file}.away`, file);
    }
  });
  it('that were loaded in the meantime', async () => {
    expect(await absent('mandrágora')).toBe('mandragora');
    service.load('stj', [acordao('mandrágora')]);
    await expect.poll(() => absent('mandrágora'), WAIT).toBeNull();
  });
});
