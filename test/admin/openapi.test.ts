import { Validator } from '@seriousme/openapi-schema-validator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARAMETROS } from '../../src/contract/vocabulary.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { hasChromium, openBrowser, openPage, seriousFaults } from '../support/chromium.ts';
import { served } from '../support/served.ts';

const service = served();

it('/openapi.json is the document of the public API, with its address', async () => {
  const response = await fetch(`${service.adminUrl}/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/u);
  const body: unknown = await response.json();
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(service.url))));
  expect((await new Validator().validate(body as Record<string, unknown>)).valid).toBe(true);
});

const CAMINHOS = ['', '#?route=get-/v1/jurisprudencia/busca', '#?route=get-/v1/jurisprudencia/-id-'];

describe('/openapi', () => {
  it('allows the viewer’s script and the document alone: no other script, frame or request', async () => {
    const { headers } = await fetch(`${service.adminUrl}/openapi`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('content-type')).toMatch(/^text\/html/u);
    const viewer = await fetch(`${service.adminUrl}/openapi/explorer.js`);
    expect(viewer.headers.get('content-type')).toMatch(/javascript/u);
  });

  describe.skipIf(!hasChromium())('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    it.each(CAMINHOS.flatMap((hash) => [[hash, 'light', 1280] as const, [hash, 'dark', 390] as const]))(
      'at %j, %s, %i pixels wide, has no serious axe violation',
      async (hash, scheme, width) => {
        const url = `${service.adminUrl}/openapi${hash}`;
        const { page, said, asked, close } = await openPage(browser, url, { scheme, width });
        const text = hash === '' ? 'Ordem das verificações' : 'Authorization: Bearer $JURISPRUDENCIA_KEY';
        await shown(page, text);
        // The colours of what is below the window are not checked.
        await page.setViewportSize({ width, height: 9_000 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await seriousFaults(page)).toEqual([]);
        expect(said).toEqual([]);
        expect(asked.map((address) => new URL(address).origin)).toEqual(asked.map(() => service.adminUrl));
        await close();
      },
    );

    it('reaches a route, its parameters and its samples for curl, TypeScript and Python by keyboard', async () => {
      const view = { scheme: 'light', width: 1280 } as const;
      const { page, close } = await openPage(browser, `${service.adminUrl}/openapi`, view);
      await page.getByRole('link', { name: 'Busca por texto e filtros' }).first().press('Enter');
      for (const text of [...PARAMETROS, 'curl', 'TypeScript', 'Python', 'Registro de uma decisão']) {
        await shown(page, text);
      }
      await close();
    });
  });
});

/** Waits for a text on the page, whose parts are behind shadow roots, which the locator passes. */
async function shown(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}
