import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportPage } from '../../../src/tools/load/report/page.ts';
import type { Run } from '../../../src/tools/load/result.ts';
import { summary } from '../../../src/tools/load/summary.ts';
import { WAIT } from '../../support/patience.ts';
import { temporaryFolder } from '../../support/service.ts';
import {
  hasChromium,
  openBrowser,
  openFile,
  seriousFaults,
  type Opened,
  type View,
} from '../../support/chromium.ts';
import { madeRun } from './made-run.ts';

const SWEEP = [50, 100, 200, 400, 800];
const REPORTS: Readonly<Record<string, readonly [run: Run, before: Run | null]>> = {
  'one rate': [madeRun([100], 1, 'no name <i>'), null],
  'a sweep': [madeRun(SWEEP), null],
  'two sweeps': [madeRun(SWEEP, 2.5), madeRun(SWEEP)],
};
const pages = new Map<string, string>();
const pageOf = (name: string) => pages.getOrInsertComputed(name, () => reportPage(...REPORTS[name]!));

describe('the report', () => {
  test('escapes text from the run', () => {
    const run = madeRun([50], 1, '<script>alert(1)</script>');
    const html = reportPage({ ...run, url: '"><img src=x>', plan: { ...run.plan, queries: '<b>' } }, null);
    expect(html).not.toMatch(/<script|<img|<b>/u);
    expect(html).toContain('&lt;script&gt;');
  });

  test.each(Object.keys(REPORTS))(
    'of %s loads nothing, runs no script, and has no invalid figure',
    (name) => {
      const html = pageOf(name);
      expect(html).not.toMatch(/<(?:script|link|img|iframe|object)\b|\ssrc=|@import|url\(|\son\w+=/iu);
      expect(html).toContain(`default-src 'none'`);
      expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/u);
    },
  );

  test('has a table below each chart, and marks the knee in the sweep and in the table', () => {
    const html = pageOf('a sweep');
    for (const title of ['Rate and latency', 'Latency by percentile'])
      expect(html.split(`<h2>${title}`)[1]).toMatch(/^[^]*?<svg role="img"[^]*?<table>[^]*?<\/section>/u);
    expect(html.match(/<circle class="knee"/gu)).toHaveLength(1);
    expect(html).toContain('<td>knee</td>');
  });

  test('shows one rate, of two runs a common one, and both in each chart', () => {
    const html = pageOf('two sweeps');
    expect(html).toContain('Summary at 400/s');
    expect(html.match(/<polyline/gu)).toHaveLength(4);
    expect(html).toContain('before (400/s)');
  });

  test('shows the verdicts, passed and failed, also if nothing was answered', () => {
    const run = madeRun([50]);
    const [step] = run.steps;
    const of = (condition: string, is_met: boolean, value: number | null) => {
      return { condition, is_met, value, rate_per_s: 400, is_noise: false };
    };
    const verdicts = [of('p99>200', true, 310.4), of('complete<99', false, 99.75), of('p50>1', true, null)];
    const latency_ms = { all: null, search: null, page: null, record: null };
    const nothing = { service_ms: null, slowest_base_percent: null, bases: [], curve: [] };
    const html = reportPage(
      { ...run, verdicts, steps: [{ ...step!, complete: 0, latency_ms, ...nothing }] },
      null,
    );
    expect(html).toMatch(/Failed<\/strong>: <code>--fail-if p99&gt;200<\/code> \(310 at 400\/s\)/u);
    expect(html).toMatch(/Passed<\/strong>: <code>--fail-if complete&lt;99<\/code> \(99.8 at 400\/s\)/u);
    expect(html).toContain('no answer to measure it by');
    expect(html).not.toMatch(/NaN|undefined|Infinity/u);
  });
});

describe('the summary for a terminal', () => {
  const run = madeRun([50, 100]);

  test('keeps to 80 columns whatever things are called and however great the figures, but for an address', () => {
    const processor = 'Some(R) Processor of a Very Long Name(TM) Platinum 9999XYZ CPU @ 2.70GHz';
    const machine = { ...run.machine, cores: 1_024, processor, system: `linux ${'6.18-'.repeat(12)}` };
    const plan = { ...run.plan, duration_s: 86_400, seed: 1_234_567_890_123 };
    const great = { p50: 12_345, p99: 23_456, max: 34_567 };
    const steps = run.steps.map((step) => ({
      ...step,
      bases: step.bases.map((base) => ({
        ...base,
        latency_ms: base.latency_ms && { ...base.latency_ms, ...great },
        fallbacks: 7_654_321,
        no_count: 7_654_321,
      })),
    }));
    const url = `http://127.0.0.1:3000/${'caminho-'.repeat(12)}`;
    const text = summary({ ...run, machine, plan, steps, url }, { ...run, steps });
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([`  ${url}`]);
    expect(text.replaceAll(/\n +/gu, ' ')).toContain(`(${processor})`);
  });

  test('gives the reason why the service did not keep up, and the number of answers', () => {
    const text = summary(madeRun([200, 400, 800])).replaceAll(/\n +/gu, ' ');
    expect(text).toMatch(
      /kept up with 400\/s, and no more: at 800\/s \d+ of 8000 requests had no complete answer, and the 99th percentile of \d+ answers was \d+ ms, above [\d.]+ ms/u,
    );
  });
});

describe.skipIf(!hasChromium())(
  'the report in a browser (skipped where there is no /usr/bin/chromium)',
  () => {
    let browser: Browser;
    const folder = temporaryFolder();
    beforeAll(async () => {
      for (const name of ['a sweep', 'two sweeps']) writeFileSync(join(folder, `${name}.html`), pageOf(name));
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
    });
    const open = async (name: string, view: View): Promise<Opened> =>
      openFile(browser, join(folder, `${name}.html`), view);

    test.each(
      ['a sweep', 'two sweeps'].flatMap((name) =>
        (['light', 'dark'] as const).map((scheme) => ({ name, scheme })),
      ),
    )(
      'of $name, $scheme: two charts, nothing too wide, no console message, no label over another, no serious fault by axe',
      async ({ name, scheme }) => {
        const { page, said, asked, close } = await open(name, { scheme, width: 1440 });
        // The last is that which axe looks at.
        for (const width of scheme === 'light' ? [390, 1920, 1440] : [1920, 1440, 390]) {
          await page.setViewportSize({ width, height: 800 });
          const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(over).toBeLessThanOrEqual(0);
          expect(await page.getByRole('img', { name: /: / }).count()).toBe(2);
          // Text is no smaller on a phone.
          expect(await page.evaluate<number>(TEXT_PX)).toBeGreaterThan(12);
          // Labels keep apart, inside their plot, and off its lines.
          expect([width, await page.evaluate<string[]>(CLASHES)]).toEqual([width, []]);
        }
        expect(await seriousFaults(page)).toEqual([]);
        expect(said).toEqual([]);
        expect(asked).toEqual([]);
        await close();
      },
    );

    test('can be read by keyboard alone: into a table, along it', async () => {
      const { page, close } = await open('a sweep', { scheme: 'light', width: 390 });
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Each rate/u);
      await page.keyboard.press('ArrowRight');
      // Not by `waitForFunction`: it evaluates inside of the page, which its policy forbids.
      await expect
        .poll(async () => page.evaluate<number>('document.activeElement.scrollLeft'), WAIT)
        .toBeGreaterThan(0);
      await close();
    });
  },
);

/** The least height of a chart's text. */
const TEXT_PX = `Math.min(...[...document.querySelectorAll('.plot text')].map((one) => one.getBoundingClientRect().height))`;

/** Pairs of texts of one picture that lie over one another, texts that leave it, and texts that cover a line. */
const CLASHES = `[...document.querySelectorAll('.plot')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }));
  const out = texts.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1).map(({ name }) => name + ' leaves');
  const over = texts.flatMap((a, at) => texts.slice(at + 1)
    .filter(({ box }) => a.box.left < box.right && box.left < a.box.right && a.box.top + 2 < box.bottom && box.top + 2 < a.box.bottom)
    .map((b) => a.name + ' over ' + b.name));
  const points = [...svg.querySelectorAll('polyline')].flatMap((path) => {
    const to = path.getScreenCTM();
    return Array.from({ length: 201 }, (_, at) => path.getPointAtLength((path.getTotalLength() * at) / 200).matrixTransform(to));
  });
  const covered = texts.filter(({ box }) =>
    points.some(({ x, y }) => x > box.left && x < box.right && y > box.top + 2 && y < box.bottom - 2)).map(({ name }) => name + ' covers a line');
  return [...out, ...over, ...covered];
})`;
