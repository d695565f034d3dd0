import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { hasNeeded } from './needed.ts';

/** Debian's; CI installs it. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let axe: string | undefined;

/** @throws in CI, where it must be there. */
export function hasChromium(): boolean {
  return hasNeeded(`a browser at ${CHROMIUM}`, existsSync(CHROMIUM));
}

/** With a new profile, which goes when it is closed. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
}

export interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

export interface Opened {
  readonly page: Page;
  /** What the browser's console and the page's own errors said. */
  readonly said: string[];
  /** Addresses that the page asked for, its own aside. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** Opens a file in a new window. */
export async function openFile(browser: Browser, file: string, view: View): Promise<Opened> {
  return openPage(browser, `file://${file}`, view);
}

/** Opens an address in a new window. */
export async function openPage(browser: Browser, url: string, { scheme, width }: View): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme });
  const page = await context.newPage();
  const said: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url);
  return {
    page,
    said,
    asked: asked.slice(1).filter((one) => !one.startsWith('data:')),
    close: async () => context.close(),
  };
}

/**
 * The serious faults that axe finds, each by its rule and the first place.
 * @param within a part of the page. @param without parts of it that are like another one: axe takes seconds of CPU.
 */
export async function seriousFaults(
  page: Page,
  within = 'html',
  without: readonly string[] = [],
): Promise<string[]> {
  // Evaluated, not added as a tag: the page's own policy lets no script run.
  axe ??= readFileSync(AXE, 'utf8');
  await page.evaluate(axe);
  const context = JSON.stringify({ include: [within], exclude: without });
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>(`axe.run(${context}, { resultTypes: ['violations'], selectors: false })`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
