import { describe, expect, test } from 'vitest';
import { firstTryOf, isCutShort } from '../../src/engine/first-try.ts';
import type { SearchReply, SearchRequest } from '../../src/engine/messages.ts';
import { done, failed } from '../../src/engine/outcome.ts';
import { readOf, searchFor } from '../support/requests.ts';

const open = () => true;
const put = (request: SearchRequest, deadline = 1_000) => ({ message: { request }, deadline, open });
const page = (overrides: Partial<SearchReply> = {}) =>
  done<SearchReply>({
    kind: 'search',
    numeros: [1],
    scores: null,
    inicio: { ordem: 'recentes', abaixo_de: 2 },
    resumos: ['1'],
    contagem: 1,
    count_ms: 0,
    rows_ms: 0,
    generation: 1,
    decisoes: 1,
    ...overrides,
  });

describe('a first try', () => {
  test('has less processor time for relevance, and may last five times as long by the clock', () => {
    expect(firstTryOf(searchFor('dano'))).toMatchObject({ work_ms: 20, budget_ms: 100 });
    expect(firstTryOf(searchFor('dano', { ordem: 'relevancia' }))).toMatchObject({
      work_ms: 10,
      budget_ms: 50,
    });
    expect(firstTryOf(readOf([1]))).toMatchObject({ work_ms: 20, budget_ms: 100 });
  });

  test('never has more time than the request, and counts within its own', () => {
    expect(firstTryOf(searchFor('dano', { budget_ms: 7, count_ms: 150 }))).toMatchObject({
      budget_ms: 7,
      count_ms: 100,
    });
    expect(firstTryOf(searchFor('dano', { count_ms: null }))).toMatchObject({ count_ms: null });
  });

  test('was cut short when it ran out and the request has more time left than it had work', () => {
    const request = searchFor('dano');
    const sent = firstTryOf(request);
    expect(isCutShort(sent, failed('deadline'), put(request), 900)).toBe(true);
    expect(isCutShort(sent, failed('deadline'), put(request), 980)).toBe(false);
    expect(isCutShort(sent, failed('unavailable'), put(request), 900)).toBe(false);
    expect(isCutShort(sent, page(), put(request), 900)).toBe(false);
  });

  test('leaves to counting its own time: the deadline includes it', () => {
    const request = searchFor('dano', { count_ms: 150 });
    const sent = firstTryOf(request);
    expect(isCutShort(sent, failed('deadline'), put(request), 820)).toBe(true);
    expect(isCutShort(sent, failed('deadline'), put(request), 840)).toBe(false);
  });

  test('was cut short without its count while there is time for one, and not when counting took all of it', () => {
    const request = searchFor('dano', { count_ms: 150 });
    const sent = firstTryOf(request);
    expect(isCutShort(sent, page({ contagem: null, count_ms: 100 }), put(request), 500)).toBe(true);
    expect(isCutShort(sent, page({ contagem: null, count_ms: 150 }), put(request), 500)).toBe(false);
    expect(isCutShort(sent, page({ contagem: null, count_ms: 100 }), put(request), 850)).toBe(false);
    expect(isCutShort(sent, page({ contagem: 7, count_ms: 1 }), put(request), 500)).toBe(false);
    const uncounted = searchFor('dano', { count_ms: null });
    expect(isCutShort(firstTryOf(uncounted), page({ contagem: null }), put(uncounted), 500)).toBe(false);
  });

  test('is none of what had all its time, and none for a sender who has left', () => {
    const request = searchFor('dano');
    expect(isCutShort(request, failed('deadline'), put(request), 500)).toBe(false);
    expect(isCutShort(undefined, failed('deadline'), put(request), 500)).toBe(false);
    const left = { ...put(request), open: () => false };
    expect(isCutShort(firstTryOf(request), failed('deadline'), left, 500)).toBe(false);
  });
});
