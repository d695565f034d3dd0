import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AbsentWords } from '../../../src/admin/console/absent-words.ts';
import type { Pedido } from '../../../src/query/parameters.ts';
import { notesOf, pageOf } from '../../observe/support-notes.ts';
import { startService, type Service } from '../../support/service.ts';
import { bePatient } from '../../support/patience.ts';
import { metricsOf } from '../support-metrics.ts';

bePatient();

const NOW = 1_800_000_000;
const KEY = `jur_${'a'.repeat(38)}`;

/** A search for one word, which is in no decision. */
function seen(word: string, keyId: string, em = NOW, changed: Partial<Pedido> = {}) {
  const pedido = { q: word, cursor: null, consulta: { terms: [{ token: word, prefix: false }] }, ...changed };
  const notes = notesOf({ keyId, pedido: pedido as unknown as Pedido, page: pageOf({ absent: [0] }) });
  return { notes, em };
}
const times = (count: number, act: (at: number) => void) => {
  for (let at = 0; at < count; at += 1) act(at);
};

describe('the absent words that the console lists', () => {
  test('are those asked by three keys or ten times, most asked first', () => {
    const words = new AbsentWords();
    times(10, () => words.note(seen('usucapiao', 'a')));
    times(9, () => words.note(seen('poucas', 'a')));
    times(3, (at) => words.note(seen('tres', `k${at}`)));
    times(2, (at) => words.note(seen('duas', `k${at}`)));
    expect(words.listed(NOW)).toEqual([
      { palavra: 'usucapiao', vezes: 10 },
      { palavra: 'tres', vezes: 3 },
    ]);
  });

  test('count the requests of the last hour alone', () => {
    const words = new AbsentWords();
    times(3, (at) => words.note(seen('espalhada', `k${at}`, NOW + at * 1_200)));
    expect(words.listed(NOW + 2_400)).toEqual([{ palavra: 'espalhada', vezes: 3 }]);
    expect(words.listed(NOW + 2_400 + 3_600)).toEqual([]);
  });

  test('are whole words: no numbers, no prefixes, and none of a search that may contain a key', () => {
    const words = new AbsentWords();
    times(10, () => {
      words.note(seen('12345678909', 'a'));
      words.note(seen('abc123', 'a'));
      words.note(seen('segredo', 'a', NOW, { q: `segredo ${KEY}` }));
      words.note(
        seen('inicio', 'a', NOW, { consulta: { terms: [{ token: 'inicio', prefix: true }] } as never }),
      );
    });
    expect(words.listed(NOW)).toEqual([]);
  });

  test('that are asked often stay listed among 20,000 others', () => {
    const words = new AbsentWords();
    const letters = (at: number) =>
      at.toString(26).replaceAll(/\d/gu, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
    times(20_000, (at) => {
      words.note(seen(letters(at), 'a'));
      if (at % 500 === 0) words.note(seen('procurada', 'b'));
    });
    expect(words.listed(NOW)).toEqual([{ palavra: 'procurada', vezes: 40 }]);
  });
});

describe('a search that found nothing', () => {
  const acordao = (ementa: string) => ({ tipo: 'acordao', ementa, data_julgamento: '2020-01-01' });
  const start = async (environment = {}): Promise<Service> =>
    startService({ stj: [acordao('dano moral'), acordao('guarda compartilhada')] }, environment);
  const nothingIn = async ({ adminUrl }: Service) => {
    const { samples } = await metricsOf(adminUrl);
    const own = samples.filter(({ name }) => name === 'jurisprudencia_searches_without_results_total');
    return Object.fromEntries(own.map(({ labels, value }) => [labels['reason'], value]));
  };
  const listed = async ({ adminUrl }: Service) => (await fetch(`${adminUrl}/console/api/ausentes`)).json();
  let service: Service;
  beforeAll(async () => {
    service = await start();
    return () => service.stop();
  });

  test.each([
    ['a word that no decision has', { q: 'dano xenofonte' }, 'absent_word'],
    ['the same, with a filter', { q: 'dano xenofonte', tipo: 'sumula' }, 'absent_word'],
    ['words that are never together', { q: 'dano guarda' }, 'words_apart'],
    ['a phrase that is not there', { q: '"moral dano"' }, 'words_apart'],
    ['a type', { q: 'dano', tipo: 'sumula', tribunal: 'stj' }, 'filter'],
    ['a date', { q: 'dano', data_de: '2021-01-01' }, 'filter'],
    ['nothing: it found one', { q: 'dano' }, null],
  ])('is counted by its reason: %s', async (_, parameters, reason) => {
    const before = await nothingIn(service);
    await service.busca(parameters);
    // From the cache, as the same search of another user.
    await service.busca(parameters);
    const after = await nothingIn(service);
    const rises = Object.entries(after).filter(([name, value]) => value !== before[name]);
    expect(rises).toEqual(reason === null ? [] : [[reason, (before[reason] ?? 0) + 2]]);
  });

  test('has its absent word on the console after ten requests, cached answers included', async () => {
    for (let at = 0; at < 10; at += 1) await service.busca({ q: 'dano Ravióli' });
    expect(await listed(service)).toEqual({ palavras: [{ palavra: 'ravioli', vezes: 10 }] });
  });

  test('has no word on the console where SLOW_MS hides query texts', async () => {
    const hidden = await start({ SLOW_MS: '0' });
    onTestFinished(() => hidden.stop());
    for (let at = 0; at < 10; at += 1) await hidden.busca({ q: 'dano ravioli' });
    expect(await listed(hidden)).toEqual({ palavras: null });
  });
});
