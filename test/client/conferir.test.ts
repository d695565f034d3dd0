import { describe, expect, it } from 'vitest';
import { Jurisprudencia } from '../../src/client/client.ts';
import { BASES } from '../../src/contract/vocabulary.ts';
import { DecisionMaker } from '../../src/tools/demo/generate.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import { served } from '../support/served.ts';
import type { Line } from '../support/service.ts';
import { falsified, STYLES, trueOf, type Said } from './support-citations.ts';

const A_BASE = 250;
const decisions = Object.fromEntries(
  BASES.map((base) => {
    const maker = new DecisionMaker(base, 44);
    return [base, Array.from({ length: A_BASE }, (_, index) => maker.make(index) as Line)];
  }),
);
const service = served(decisions);
const FALSEHOODS = ['digit', 'year', 'court', 'judge'] as const;

describe('1,000 citations of loaded decisions, in 32 styles, 200 of them false', () => {
  it('are never confirmed if false, and found in 99% if true', async () => {
    const rng = new Rng(44, 0);
    const known: { id: string; said: Said }[] = [];
    for (const base of BASES) {
      for (const [index, line] of (decisions[base] ?? []).entries()) {
        const said = trueOf({ ...line, base } as never);
        if (said !== null && (line['redator'] ?? null) === null)
          known.push({ id: `${base}:${index + 1}`, said });
      }
    }
    const numbers = new Set(known.map(({ said }) => said.numero));
    const wrong: string[] = [];
    const lost: string[] = [];
    let [falsehoods, truths] = [0, 0];
    const written: { text: string; id: string; isTrue: boolean; what: string }[] = [];
    for (let count = 0; written.length < 1_000; count += 1) {
      const { id, said } = rng.pick(known);
      const style = STYLES[count % STYLES.length]!;
      const what = FALSEHOODS[Math.floor(count / STYLES.length) % FALSEHOODS.length]!;
      const isFalse = falsehoods < 200 && (count % 5 === 0 || count % 7 === 0);
      const ofCourt = known.map((one) => one.said).filter(({ tribunal }) => tribunal === said.tribunal);
      const other = isFalse ? falsified(said, what, ofCourt, rng) : said;
      // Not every style shows every part, and a wrong digit may give the number of another decision.
      const isShown = style(other) !== style(said);
      if (isFalse && (!isShown || (what === 'digit' && numbers.has(other.numero)))) continue;
      if (isFalse) falsehoods += 1;
      else truths += 1;
      written.push({ text: style(other), id, isTrue: !isFalse, what });
    }
    const text = written.map((one) => `Neste sentido: ${one.text}`).join('\n\n');
    const client = new Jurisprudencia({ url: service.url, key: service.key });
    const results = await Array.fromAsync(client.conferir(text));
    let at = 0;
    for (const one of written) {
      const start = text.indexOf(one.text, at);
      at = start + one.text.length;
      const own = results.filter(({ inicio, fim }) => inicio >= start && fim <= at);
      const shown = `${one.what} ${one.text} => ${own.map((o) => `${o.texto}: ${o.veredito} ${o.ids.join(',')} ${o.avisos.join('; ')}`).join(' | ')} (${one.id})`;
      if (!one.isTrue && own.some(({ veredito }) => veredito === 'confere')) wrong.push(shown);
      if (one.isTrue && !(own.length === 1 && own[0]?.veredito === 'confere' && own[0].ids[0] === one.id))
        lost.push(shown);
    }
    expect(falsehoods).toBe(200);
    expect(wrong).toEqual([]);
    expect(lost.length).toBeLessThanOrEqual(truths / 100);
  });
});
