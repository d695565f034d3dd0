import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportPage } from '../../../src/tools/load/report/page.ts';
import type { Run } from '../../../src/tools/load/result.ts';
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
const REPORTS: Readonly<Record<string, readonly Run[]>> = {
  'one rate': [madeRun([100], 1, 'no name <i>')],
  'a sweep': [madeRun(SWEEP)],
  'two sweeps': [madeRun(SWEEP), madeRun(SWEEP, 2.5)],
};

const pages = new Map<string, string>();
const pageOf = (name: string) => pages.getOrInsertComputed(name, () => reportPage(REPORTS[name] ?? []));
const sectionOf = (html: string, id: string) =>
  html.split(`<section id="${id}"`)[1]?.split('</section>')[0] ?? '';

describe('the report', () => {
  test('escapes text from the run', () => {
    const run = madeRun([50], 1, '<script>alert(1)</script>');
    const evil = { ...run, url: '"><img src=x onerror=1>', plan: { ...run.plan, queries: '<b>' } };
    const html = reportPage([evil]);
    expect(html).not.toMatch(/<script|<img|<b>/u);
    expect(html).toContain('&lt;script&gt;');
  });

  test('loads nothing from a network and runs no script', () => {
    for (const name of Object.keys(REPORTS)) {
      const html = pageOf(name);
      expect(html).not.toMatch(/<(?:script|link|img|iframe|object)\b|\ssrc=|@import|url\(|\son\w+=/iu);
      expect(html).toContain(`default-src 'none'`);
      expect([...html.matchAll(/href="([^"]*)"/gu)].every(([, to]) => to?.startsWith('#'))).toBe(true);
    }
  });

  test('has a table for each plot, and marks the knee in the sweep and in the table', () => {
    const html = pageOf('a sweep');
    for (const id of ['rates', 'percentiles', 'bases']) {
      const section = sectionOf(html, id);
      expect(section).toContain('<svg class="plot');
      expect(section).toContain('<table>');
    }
    expect(html).toContain('(ring: knee, 400/s)');
    expect(html).toMatch(/<g class="knee"[^>]*><circle/u);
    expect(html).toContain('<td>knee</td>');
  });

  test('shows two runs at a rate that both kept up with, and by how much they differ', () => {
    const html = pageOf('two sweeps');
    expect(html).toMatch(/Summary at \d+\/s</u);
    expect(html).toMatch(/<th scope="row">p50, ms<\/th>.*<td>\+1\d\d% \([^)]*\)<\/td><td>differs<\/td>/u);
    expect(html).not.toContain('plans of the two runs differ');
  });

  test('marks a percentile of few answers', () => {
    const html = reportPage([madeRun([10])]);
    expect(html).toMatch(/<dt>99th percentile<\/dt><dd>~[\d.]+ ms/u);
    expect(html).toMatch(/<dt>median<\/dt><dd>[\d.]+ ms/u);
  });

  test('shows the verdicts, passed and failed', () => {
    const verdicts = [
      { condition: 'p99>200', is_met: true, value: 310.4, rate_per_s: 400, is_noise: false },
      { condition: 'complete<99', is_met: false, value: 99.75, rate_per_s: 400, is_noise: false },
      { condition: 'p50>1', is_met: true, value: null, rate_per_s: 400, is_noise: false },
    ];
    const html = reportPage([{ ...madeRun([100]), verdicts }]);
    expect(html).toMatch(/Failed<\/strong>: <code>--fail-if p99&gt;200<\/code> \(310 at 400\/s\)/u);
    expect(html).toMatch(/Passed<\/strong>: <code>--fail-if complete&lt;99<\/code> \(99.8 at 400\/s\)/u);
    expect(html).toContain('no answer to measure it by');
  });

  test('is written even if nothing was answered', () => {
    const run = madeRun([50]);
    const [step] = run.steps;
    const none = { all: null, search: null, page: null, record: null };
    const empty = {
      ...step!,
      complete: 0,
      latency_ms: none,
      service_ms: null,
      slowest_base_percent: null,
      bases: [],
      curve: [],
    };
    const html = reportPage([{ ...run, steps: [empty] }]);
    expect(html).not.toMatch(/NaN|undefined|Infinity/u);
  });

  test.each(Object.keys(REPORTS))('of %s has no invalid figure', (name) => {
    expect(pageOf(name)).not.toMatch(/NaN|undefined|Infinity|\[object/u);
  });
});

describe.skipIf(!hasChromium())(
  'the report in a browser (skipped where there is no /usr/bin/chromium)',
  () => {
    /** Both schemes, one of them at each end of the widths; the styles that depend on them are these two alone. */
    const cases = ['a sweep', 'two sweeps', 'one rate'].flatMap((name, at) =>
      (['light', 'dark'] as const).slice(0, at < 2 ? 2 : 1).map((scheme) => ({ name, scheme })),
    );
    let browser: Browser;
    const folder = temporaryFolder();
    beforeAll(async () => {
      for (const name of Object.keys(REPORTS)) writeFileSync(join(folder, `${name}.html`), pageOf(name));
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
    });
    const open = async (name: string, view: View): Promise<Opened> =>
      openFile(browser, join(folder, `${name}.html`), view);

    test.each(cases)(
      'of $name, $scheme: nothing too wide, nothing in the console, labels apart, no serious fault by axe',
      async ({ name, scheme }) => {
        const { page, said, asked, close } = await open(name, { scheme, width: 1440 });
        await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
        // The last is that which axe looks at.
        for (const width of scheme === 'light' ? [390, 1920, 1440] : [1920, 1440, 390]) {
          await page.setViewportSize({ width, height: 800 });
          const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(over).toBeLessThanOrEqual(0);
          await shoot(page, `${name}-${scheme}-${width}`);
          // Labels keep apart, inside their plot, and off its lines.
          expect([width, await page.evaluate<string[]>(CLASHES)]).toEqual([width, []]);
        }
        // The reports of one rate have parts of these; axe takes seconds of CPU.
        if (name.includes('sweep')) expect(await seriousFaults(page)).toEqual([]);
        expect(said).toEqual([]);
        expect(asked).toEqual([]);
        await close();
      },
    );

    test('draws each plot once, named and described, with text that is no smaller on a phone', async () => {
      const { page, close } = await open('a sweep', { scheme: 'light', width: 1440 });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.locator('svg.plot').filter({ visible: true }).count()).toBe(3);
        expect(await page.getByRole('img').count()).toBe(3);
        const scale = await page.evaluate<number>(
          `Math.min(...[...document.querySelectorAll('svg.plot')].filter((one) => one.checkVisibility())
           .map((one) => one.getBoundingClientRect().width / one.viewBox.baseVal.width))`,
        );
        expect(scale).toBeGreaterThan(0.9);
      }
      const name = /Rate and latency: knee: the service kept up with 400\/s/u;
      expect(await page.getByRole('img', { name }).count()).toBe(1);
      await close();
    });

    test('can be read by keyboard alone: to the content, into a table, along it', async () => {
      const { page, close } = await open('a sweep', { scheme: 'light', width: 390 });
      const focused = async () => page.evaluate<string>('document.activeElement.textContent.slice(0, 40)');
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Table: What became of the requests');
      await page.keyboard.press('Tab');
      expect(await focused()).toMatch(/^Table: Each rate/u);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('region');
      await page.keyboard.press('ArrowRight');
      // Not by `waitForFunction`: it evaluates inside of the page, which its policy forbids.
      await expect
        .poll(async () => page.evaluate<number>('document.activeElement.scrollLeft'), WAIT)
        .toBeGreaterThan(0);
      await close();
    });
  },
);

/** For who wants to look: `SHOTS=folder bun run test test/tools/load/report.test.ts`. */
async function shoot(page: Opened['page'], name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`), fullPage: true });
}

/** Pairs of texts of one picture that lie over one another, texts that leave it, and texts that cover a line. */
const CLASHES = `[...document.querySelectorAll('svg.plot')].filter((one) => one.checkVisibility()).flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }));
  const out = texts.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1).map(({ name }) => name + ' leaves');
  const over = texts.flatMap((a, at) => texts.slice(at + 1)
    .filter(({ box }) => a.box.left < box.right && box.left < a.box.right && a.box.top + 2 < box.bottom && box.top + 2 < a.box.bottom)
    .map((b) => a.name + ' over ' + b.name));
  const points = [...svg.querySelectorAll('.line path')].flatMap((path) => {
    const to = path.getScreenCTM();
    return Array.from({ length: 201 }, (_, at) => path.getPointAtLength((path.getTotalLength() * at) / 200).matrixTransform(to));
  });
  const covered = texts.filter(({ box }) =>
    points.some(({ x, y }) => x > box.left && x < box.right && y > box.top + 2 && y < box.bottom - 2)).map(({ name }) => name + ' covers a line');
  return [...out, ...over, ...covered];
})`;
