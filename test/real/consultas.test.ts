import { describe, expect, test } from 'vitest';
import type { Base } from '../../src/contract/vocabulary.ts';
import { REAL_BASES, corpusLines, hasCorpora, realQueries } from '../support/corpora.ts';
import { foldedWords } from '../support/folded.ts';
import { served, servedInTest } from '../support/served.ts';
import type { Body } from '../support/service.ts';

/** A decision for an oracle that shares nothing with the service: its own words, and every decision read. */
interface Real {
  readonly words: ReadonlySet<string>;
  /** The words of each field, in order, fields apart: a literal like `1.234/MG` must stand together in one. */
  readonly fields: readonly string[];
}

function readReal(line: string): Real {
  type Fields = Record<string, string | null> & { temas: string[] | null };
  const { ementa, texto, tese, dispositivo, temas, processo } = JSON.parse(line) as Fields;
  const texts = [ementa ?? texto, tese, dispositivo, ...(temas ?? []), processo].filter(
    (text) => typeof text === 'string',
  );
  return {
    words: new Set(texts.flatMap(foldedWords)),
    fields: texts.map((text) => ` ${foldedWords(text).join(' ')} `),
  };
}

/** True when the user's text is FTS5 syntax by the contract, and not loose words. */
const isSyntax = (q: string) =>
  /["()*]/.test(q) || q.split(/\s+/).some((word) => ['AND', 'OR', 'NOT', 'NEAR'].includes(word));

const isTooLong = (q: string) => [...q].length > 300;

/** Numbers, from 1, of the decisions that hold every loose word; a literal of several words as one phrase. */
function matching(decisions: readonly Real[], q: string): number[] {
  const literals = q
    .split(/\s+/)
    .map(foldedWords)
    .filter((words) => words.length > 0);
  return decisions.flatMap(({ words, fields }, at) => {
    const holds = literals.every(
      (literal) =>
        literal.every((word) => words.has(word)) &&
        fields.some((field) => field.includes(` ${literal.join(' ')} `)),
    );
    return holds ? [at + 1] : [];
  });
}

describe.skipIf(!hasCorpora())('the queries of real users over real decisions', () => {
  const lines = hasCorpora() ? REAL_BASES.map((base) => [base, corpusLines(base)] as const) : [];
  const real = new Map(lines.map(([base, texts]) => [base, texts.map(readReal)]));
  const service = served(Object.fromEntries(lines));

  /** The numbers of every match of a base, newest first, page after page. */
  async function everyMatch(base: Base, q: string, ordem: string) {
    const numbers: number[] = [];
    const tribunal = base === 'eproc' ? 'tnu,trf6' : base;
    const page = async (more: { cursor?: string }): Promise<Body> => {
      const { body } = await service.busca({ q, tribunal, ordem, limite: '50', ...more });
      if (body.itens === undefined) throw new Error(`${q}: ${JSON.stringify(body)}`);
      numbers.push(...body.itens.map(({ id }) => Number(id.split(':')[1])));
      return body;
    };
    const first = await page({});
    for (let cursor = first.proximo_cursor; cursor !== null;)
      cursor = (await page({ cursor })).proximo_cursor;
    return { numbers, first };
  }

  /** Compares one query with the oracle in every base and both orders. @returns how many matches there were. */
  async function compare(q: string): Promise<number> {
    let found = 0;
    for (const base of REAL_BASES) {
      const numbers = matching(real.get(base) ?? [], q);
      const recent = await everyMatch(base, q, 'recentes');
      expect({ q, base, numbers: recent.numbers }).toEqual({ q, base, numbers: numbers.toReversed() });
      expect(recent.first.por_base[0]?.encontrados_ate_1000).toBe(Math.min(1000, numbers.length));
      found += numbers.length;
      // Most whole queries find nothing in so few decisions: `positions` asks for nothing in both orders, too.
      if (numbers.length === 0) continue;
      const relevant = await everyMatch(base, q, 'relevancia');
      expect({ q, base, numbers: relevant.numbers.toSorted((a, b) => a - b) }).toEqual({ q, base, numbers });
    }
    return found;
  }

  test('find in each base exactly the decisions with every word, in both orders', async () => {
    const loose = realQueries().filter((q) => !isSyntax(q) && !isTooLong(q));
    expect(loose.length).toBeGreaterThan(180);
    for (const q of loose) await compare(q);
  });

  test('find the same for any two words of a query', async () => {
    const pairs = realQueries().flatMap((q) => {
      const words = q.split(/\s+/).filter((word) => foldedWords(word).length > 0 && !isSyntax(word));
      return words.slice(1).map((word, at) => `${words[at]} ${word}`);
    });
    const some = [...new Set(pairs)].filter((_, at) => at % 12 === 0);
    let found = 0;
    for (const q of some) found += await compare(q);
    expect(found).toBeGreaterThan(1000);
  });

  test('longer than 300 characters are refused with that reason', async () => {
    for (const q of realQueries().filter(isTooLong)) {
      const refusal = { status: 400, body: { codigo: 'PARAMETRO_INVALIDO' } };
      expect(await service.busca({ q })).toMatchObject(refusal);
    }
  });

  test('with parentheses are read as FTS5: answered, or refused with the mend', async () => {
    const syntax = realQueries().filter(isSyntax);
    expect(syntax.length).toBeGreaterThan(0);
    for (const q of syntax) {
      const { status, body } = await service.busca({ q });
      expect([200, 400]).toContain(status);
      if (status === 400)
        expect(body).toMatchObject({ codigo: 'CONSULTA_INVALIDA', erro: expect.stringMatching(/^q: /) });
    }
  });

  test('over all bases are answered by every base', async () => {
    const loose = realQueries().filter((one) => !isSyntax(one) && !isTooLong(one));
    for (const q of loose.slice(0, 50)) {
      const { body } = await service.busca({ q });
      expect(body.bases_sem_resposta).toEqual([]);
      expect(body.por_base).toHaveLength(6);
    }
  });
});

describe.skipIf(!hasCorpora())('real decisions', () => {
  test('are served field by field as loaded', async () => {
    const service = await servedInTest({ eproc: corpusLines('eproc'), stf: corpusLines('stf') });
    for (const base of ['eproc', 'stf'] as const) {
      for (const [at, line] of corpusLines(base).entries()) {
        const answer = await service.get(`/v1/jurisprudencia/${base}:${at + 1}`);
        const record = (await answer.json()) as Record<string, unknown>;
        const { chave, tribunal, ...source } = JSON.parse(line) as Record<string, unknown>;
        expect({ chave, tribunal, ...record }).toMatchObject({ ...source, id: `${base}:${at + 1}`, base });
      }
    }
  });
});
