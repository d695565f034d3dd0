import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { WAIT } from '../support/patience.ts';
import { startService, type Service } from '../support/service.ts';
import { acordao } from './checks.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({
    stj: [acordao('dano moral'), acordao('dano material'), acordao('ação rescisória')],
    stf: [acordao('pensão alimentícia'), acordao('dano estético')],
    tst: Array.from({ length: 60 }, (_, at) => acordao(`horas extras ${at}`)),
  });
});
afterAll(() => service.stop());

async function absent(q: string, others: Record<string, string> = {}): Promise<string | null> {
  const { status, headers } = await service.busca({ q, tribunal: 'stj,stf', ...others });
  expect(status).toBe(200);
  return headers.get('jurisprudencia-termos-ausentes');
}

describe.each(['relevancia', 'recentes'])('an answer by %s names in its header', (ordem) => {
  it('the words that no decision of the bases asked has, in the order of the query', async () => {
    expect(await absent('quaisquer dano xenoglossia', { ordem })).toBe('quaisquer,xenoglossia');
  });
  it('none where each word is somewhere, in whichever base', async () => {
    expect(await absent('rescisória pensão', { ordem })).toBeNull();
  });
  it('a word that only a base has that was not asked', async () => {
    expect(await absent('horas', { ordem })).toBe('horas');
    expect(await absent('horas', { ordem, tribunal: 'stj,tst' })).toBeNull();
  });
  it('words as bases read them, percent-encoded', async () => {
    expect(await absent('Existências "ßtraße λόγος"', { ordem })).toBe(
      'existencias,%C3%9Ftra%C3%9Fe,%CE%BB%CF%8C%CE%B3%CE%BF%CF%83',
    );
  });
  it('a prefix that begins no word, with its star', async () => {
    expect(await absent('dan* OR xilof* OR xenoglossi*', { ordem })).toBe('xilof*,xenoglossi*');
  });
  it('words of a phrase, and not those that the search excludes', async () => {
    expect(await absent('"dano xenoglossia" NOT quaisquer', { ordem })).toBe('xenoglossia');
  });
  it('no word that is there but for the filter or the column', async () => {
    expect(await absent('pensão', { ordem, data_de: '2999-01-01' })).toBeNull();
    expect(await absent('tese : "pensão"', { ordem })).toBeNull();
  });
  it('the words beside those that find less than a page', async () => {
    expect(await absent('dano OR xenoglossia', { ordem })).toBe('xenoglossia');
  });
});

describe('an answer names no absent words', () => {
  it('where a page is full: a search that finds much does not look for them', async () => {
    expect(await absent('horas OR xenoglossia', { tribunal: 'tst', limite: '10' })).toBeNull();
  });
  it('after the first page', async () => {
    const first = await service.busca({ q: 'horas OR xenoglossia', tribunal: 'tst', limite: '50' });
    expect(first.body.proximo_cursor).not.toBeNull();
    const cursor = first.body.proximo_cursor ?? '';
    expect(await absent('horas OR xenoglossia', { tribunal: 'tst', limite: '50', cursor })).toBeNull();
  });
  it('beyond what its header may hold, and whole words alone', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `λόγος${at}`);
    const header = (await absent(words.join(' ').slice(0, 300))) ?? '';
    expect(header.length).toBeGreaterThan(900);
    expect(header.length).toBeLessThanOrEqual(1_000);
    const named = header.split(',');
    // What was cut off is told.
    expect(named.pop()).toBe('%E2%80%A6');
    for (const word of named) expect(decodeURIComponent(word)).toMatch(/^λόγοσ\d+$/u);
  });
  it('that are together as long as the header, or one more', async () => {
    // Each of these letters takes nine characters.
    expect(await absent('\u4e00'.repeat(111))).toHaveLength(999);
    expect(await absent('\u4e00'.repeat(112))).toBe('%E2%80%A6');
    expect(await absent(`ab ${'\u4e00'.repeat(112)}`)).toBe('ab,%E2%80%A6');
  });
  it('while a base did not answer, for it may have them', async () => {
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
  it('that were loaded meanwhile', async () => {
    expect(await absent('mandrágora')).toBe('mandragora');
    service.load('stj', [acordao('mandrágora')]);
    await expect.poll(() => absent('mandrágora'), WAIT).toBeNull();
  });
});
