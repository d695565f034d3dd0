import { Validator } from '@seriousme/openapi-schema-validator';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';
import { hasChromium, openBrowser, openPage, seriousFaults } from '../support/chromium.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('/openapi.json', () => {
  it('is the document of the public API, with its address', async () => {
    const response = await fetch(`${service.adminUrl}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/u);
    const body: unknown = await response.json();
    expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(service.url))));
    expect((await new Validator().validate(body as Record<string, unknown>)).valid).toBe(true);
  });

  it('is not on the public listener', async () => {
    for (const path of ['/openapi.json', '/openapi']) {
      expect((await service.get(path)).status).toBe(404);
    }
  });
});

describe('/openapi', () => {
  it('names every route, status, parameter, header and field of the document', async () => {
    const response = await fetch(`${service.adminUrl}/openapi`);
    const html = await response.text();
    const { paths, components } = openApiDocument(service.url);
    for (const [path, { get }] of Object.entries(paths)) {
      expect(html).toContain(`<code>${path}</code>`);
      for (const { name } of get.parameters) expect(html).toContain(`<code>${name}</code>`);
      for (const status of Object.keys(get.responses)) expect(html).toContain(`<strong>${status}</strong>`);
    }
    for (const name of Object.keys(components.headers)) expect(html).toContain(`<code>${name}</code>`);
    for (const [name, schema] of Object.entries(components.schemas)) {
      expect(html).toContain(`id="esquema-${name}"`);
      const { properties = {} } = schema as { properties?: object };
      for (const field of Object.keys(properties)) expect(html).toContain(`<code>${field}</code>`);
    }
  });

  it('has a place for each of its own links', async () => {
    const html = await (await fetch(`${service.adminUrl}/openapi`)).text();
    const wanted = [...html.matchAll(/href="#([^"]+)"/gu)].map(([, id]) => id);
    expect(wanted.length).toBeGreaterThan(40);
    for (const id of new Set(wanted)) expect(html).toContain(`id="${id}"`);
  });

  it('forbids scripts, frames and all of the network', async () => {
    const { headers } = await fetch(`${service.adminUrl}/openapi`);
    const policy = headers.get('content-security-policy');
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    );
  });

  describe.skipIf(!hasChromium())('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
      ['dark', 390],
    ] as const)('%s, %i pixels wide, has no fault', async (scheme, width) => {
      const { page, said, asked, close } = await openPage(browser, `${service.adminUrl}/openapi`, {
        scheme,
        width,
      });
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await seriousFaults(page)).toEqual([]);
      expect(said).toEqual([]);
      expect(asked).toEqual([]);
      await close();
    });

    it('is read by keyboard: past the links to the content, and each answer opens', async () => {
      const { page, close } = await openPage(browser, `${service.adminUrl}/openapi`, {
        scheme: 'light',
        width: 1280,
      });
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('conteudo');
      await page.focus('#rota-busca details:not([open]) summary');
      await page.keyboard.press('Enter');
      expect(await page.evaluate("document.activeElement.closest('details').open")).toBe(true);
      await close();
    });
  });
});
