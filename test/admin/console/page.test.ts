import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { readConfig } from '../../../src/config/config.ts';
import { BASES } from '../../../src/contract/enums.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { createLog } from '../../../src/observe/log.ts';
import { startSystem, type System } from '../../../src/system.ts';
import {
  hasChromium,
  openBrowser,
  openPage,
  seriousFaults,
  type Opened,
  type View,
} from '../../support/chromium.ts';
import { ownPort } from '../../support/own-port.ts';
import { WAIT, bePatient } from '../../support/patience.ts';
import { AMPLE_WINDOWS, startService, type Line, type Service } from '../../support/service.ts';

const LINES: Line[] = Array.from({ length: 30 }, (_, at) => ({
  tipo: 'acordao',
  ementa: `Dano moral número ${at}`,
}));
const DECISIONS = {
  ...Object.fromEntries(BASES.map((base) => [base, LINES])),
  eproc: LINES.map((line) => Object.assign({ tribunal: 'tnu' }, line)),
};
/** Each width, and each scheme where it is narrow and where it is wide. */
const VIEWS: readonly View[] = [
  { scheme: 'light', width: 1_440 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 1_920 },
];
/** After so long the page asks for the bases and their disk again. */
const ASKED_AGAIN_MS = 3_000;
/** A folder to look at the page by one's own eyes in. */
const SHOTS = process.env['CONSOLE_SHOTS'];
/** The folder of the docs, to make their pictures anew. */
const PICTURES = process.env['CONSOLE_PICTURES'];
const PICTURE_LOAD_MS = 65_000;
const PICTURE_CLIP = { x: 0, y: 0, width: 1_440, height: 1_150 };

bePatient();

describe.skipIf(!hasChromium())('the console in a browser', () => {
  let browser: Browser;
  let service: Service;
  /** Of most tests, one after the other: a new window takes three times as long as an address in an old one. */
  let usual: Opened;
  beforeAll(async () => {
    browser = await openBrowser();
    usual = await openPage(browser, 'about:blank', { scheme: 'light', width: 1_280 });
    service = await startService(DECISIONS);
    if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** In a window of its own where a view is given. */
  async function open(url = service.adminUrl, view?: View): Promise<Opened> {
    let opened = usual;
    if (view === undefined) await usual.page.goto(`${url}/console`);
    else {
      opened = await openPage(browser, `${url}/console`, view);
      onTestFinished(() => opened.close());
    }
    await expect.poll(() => opened.page.textContent('#ligacao'), WAIT).toMatch(/^Ligado/u);
    await expect.poll(() => opened.page.inputValue('#stj-threads'), WAIT).not.toBe('');
    return opened;
  }
  /** In a window of its own, where one of the service's answers is made up and the clock stands until it is moved. */
  async function openGiven(path: string, answer: () => unknown): Promise<Page> {
    const { page } = await openPage(browser, 'about:blank', VIEWS[0]!);
    onTestFinished(() => page.context().close());
    await page.route(`**/console/api/${path}`, async (route) => route.fulfill({ json: answer() }));
    await page.clock.install();
    await page.goto(`${service.adminUrl}/console`);
    return page;
  }
  const shoot = async (page: Page, name: string) => {
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  };
  const text = (page: Page, selector: string) => async () => (await page.textContent(selector)) ?? '';

  /** Waits by the clock, for its charts are of a minute; so it runs for who asks for the pictures alone. */
  const makePictures = async (folder: string) => {
    const made = await startService(
      Object.fromEntries(BASES.map((base) => [base, [...demoLines(base, 400, 7)]])),
      { SLOW_MS: '500' },
    );
    onTestFinished(() => made.stop());
    const pages = [
      [await open(made.adminUrl, { scheme: 'light', width: 1_440 }), 'console'],
      [await open(made.adminUrl, { scheme: 'dark', width: 1_440 }), 'console-dark'],
    ] as const;
    // Some hundred searches over a minute: as many words, so that the result cache answers a part of them.
    const words = ['dano moral', 'recurso especial', 'horas extras', 'prescrição', 'contrato', 'prova'];
    const until = performance.now() + PICTURE_LOAD_MS;
    for (let at = 0; performance.now() < until; at += 1) {
      const q = `${words[at % words.length]} ${at % 3 === 0 ? `OR x${at}` : ''}`;
      await made.busca({ q, ordem: at % 7 === 0 ? 'recentes' : 'relevancia' });
      await pages[0][0].page.waitForTimeout(120 + 60 * Math.sin(at / 20));
    }
    for (const [{ page }, name] of pages) {
      await page.check('input[value="60"]', { force: true });
      await page.waitForTimeout(1_500);
      await page.screenshot({
        path: join(folder, `${name}.png`),
        clip: PICTURE_CLIP,
        fullPage: true,
      });
    }
  };
  if (PICTURES !== undefined) test('makes the pictures of the docs', async () => makePictures(PICTURES));

  test('says that decisions are made up where they are, and nothing of it elsewhere', async () => {
    const demo = await startService({ stj: [...demoLines('stj', 3, 7)] });
    onTestFinished(() => demo.stop());
    const made = await open(demo.adminUrl);
    await expect
      .poll(text(made.page, '#demonstracao:not([hidden])'), WAIT)
      .toContain('as decisões de stj são fictícias');
    await shoot(made.page, 'demo');
    expect(await seriousFaults(made.page)).toEqual([]);
    const real = await open();
    expect(await real.page.locator('#demonstracao:not([hidden])').count()).toBe(0);
  });

  test.each(VIEWS)('is whole, silent and without serious faults ($scheme, $width pixels)', async (view) => {
    const { page, said, asked } = await open(service.adminUrl, view);
    // Asked by nobody before: what is kept tells nothing of the pool.
    await service.busca({ q: `dano ${VIEWS.indexOf(view)}` });
    await expect.poll(text(page, '#painel-stj .percentis tbody td'), WAIT).toMatch(/\d/u);
    await page.fill('#busca-q', 'dano moral');
    await page.click('#busca-form button');
    await expect
      .poll(() => page.locator('#busca-resultado tbody tr').count(), WAIT)
      .toBeGreaterThanOrEqual(6);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
    // The other panels stay as they were, so one look finds the faults of both.
    await page.click('#painel-stj [aria-expanded]');
    await shoot(page, `whole-${view.scheme}-${view.width}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
    expect(await seriousFaults(page)).toEqual([]);
    expect(said).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(service.adminUrl))).toEqual([]);
  });

  test('shows what users got: complete answers from the result cache and from bases, and refusals', async () => {
    const own = await startService(DECISIONS);
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    await expect.poll(text(page, '#ficha-pedidos .miudo'), WAIT).toMatch(/^0 em/u);
    expect(await page.textContent('#ficha-completas .valor')).toBe('–');
    for (let at = 0; at < 4; at += 1) await own.busca({ q: 'dano' });
    await own.get('/v1/jurisprudencia/cobertura');
    await expect.poll(text(page, '#ficha-pedidos .miudo'), WAIT).toMatch(/^5 em \d+ s$/u);
    expect(await page.textContent('#ficha-completas')).toContain('100%de 4 buscas');
    expect(await page.textContent('#ficha-p99')).toMatch(/[\d,]+ mssó 5 respostas/u);
    expect(await page.textContent('#ficha-recusas')).toContain('0nenhum até aqui');
    expect(await page.textContent('#ficha-cpu .valor')).toMatch(/^\d/u);
    // A base that is slow to confirm its data version, as on a busy machine, is asked anew.
    await expect
      .poll(async () => {
        await own.busca({ q: 'dano' });
        return page.textContent('#ficha-do-cache .valor');
      }, WAIT)
      .toMatch(/^[1-9]\d?(,\d)?%$/u);
    await shoot(page, 'strip');
  });

  test('changes a setting by keyboard, marks it on the chart of that base alone, and takes it back', async () => {
    const { page } = await open();
    await page.focus('#painel-tjmg summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('tjmg-threads');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect
      .poll(text(page, '#painel-tjmg .ajustes .resposta'), WAIT)
      .toBe('threads: de 2 para 1, em vigor.');
    await expect.poll(text(page, '#painel-tjmg .pool'), WAIT).toMatch(/^1 thread /u);
    await expect.poll(text(page, '#tjmg-threads-origem'), WAIT).toBe('mudado aqui; ao reiniciar volta a 2');
    await expect.poll(() => page.getAttribute('#painel-tjmg .tela', 'data-marcas'), WAIT).toBe('threads 2→1');
    expect(await page.getAttribute('#painel-stj .tela', 'data-marcas')).toBe('');
    await shoot(page, 'changed');

    await page.focus('#desfazer');
    await page.keyboard.press('Enter');
    await expect.poll(text(page, '#mudancas-aviso'), WAIT).toBe('tjmg, threads: de volta a 2.');
    await expect.poll(text(page, '#painel-tjmg .pool'), WAIT).toMatch(/^2 threads/u);
    await expect.poll(() => page.inputValue('#tjmg-threads'), WAIT).toBe('2');
    // What the card said of the change holds no more.
    await expect.poll(text(page, '#painel-tjmg .ajustes .resposta'), WAIT).toBe('');
    await expect
      .poll(() => page.getAttribute('#painel-tjmg .tela', 'data-marcas'), WAIT)
      .toBe('threads 2→1, threads 1→2');
  });

  test('asks before a change that would harm users, says what it would do, and makes it only when that is confirmed', async () => {
    const own = await startService(DECISIONS, { BASES_RELEVANCE_MS: '1500' });
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    await page.click('#painel-stf summary');
    await page.fill('#stf-threads', '64');
    await page.press('#stf-threads', 'Enter');
    await expect
      .poll(text(page, '#confirmar[open] #confirmar-texto'), WAIT)
      .toMatch(/threads para \d+ núcleos?, mais de .* Pôr threads de stf em 64 mesmo assim\?$/u);
    expect(await page.evaluate('document.activeElement.value')).toBe('nao');
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: join(SHOTS ?? own.dataDir, 'confirm.png') });
    await page.keyboard.press('Escape');
    await expect.poll(text(page, '#painel-stf .ajustes .resposta'), WAIT).toBe('Nada mudou.');
    expect(await page.locator('#historico tbody tr').count()).toBe(0);
    await page.fill('#stf-relevance_ms', '1');
    await page.press('#stf-relevance_ms', 'Enter');
    await expect
      .poll(text(page, '#confirmar[open] #confirmar-texto'), WAIT)
      .toContain('as buscas por relevância em stf não terminam a tempo');
    await page.click('#confirmar-sim');
    await expect
      .poll(text(page, '#painel-stf .ajustes .resposta'), WAIT)
      .toBe('janela de relevância: de 1.500 para 1, em vigor.');
    await page.click('#gravar');
    await expect
      .poll(() => page.locator('#confirmar-linhas li').allTextContents(), WAIT)
      .toEqual(['bases.stf.relevance_ms: de 1.500 para 1 (janela de relevância)']);
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: join(SHOTS ?? own.dataDir, 'difference.png') });
    await page.keyboard.press('Escape');
    await expect.poll(text(page, '#mudancas-aviso'), WAIT).toBe('Nada foi gravado.');
    expect(existsSync(join(own.dataDir, 'config.toml'))).toBe(false);
  });

  test('says what was wrong with a value, and sends none that the browser knows to be wrong', async () => {
    const { page } = await open();
    await page.click('#painel-stf summary');
    await page.fill('#stf-threads', '99');
    await page.press('#stf-threads', 'Enter');
    expect(await page.evaluate(`document.querySelector('#stf-threads').validity.rangeOverflow`)).toBe(true);
    await expect
      .poll(text(page, '#painel-stf .engano'), WAIT)
      .toBe('threads: use um número inteiro de 1 a 64.');
    expect(await seriousFaults(page)).toEqual([]);
    await shoot(page, 'mistake');
    await page.fill('#busca-q', 'dano');
    await page.fill('#busca-form [name=limite]', '51');
    await page.press('#busca-q', 'Enter');
    expect(await page.textContent('#busca-form .engano')).toBe('Itens: use um número inteiro de 1 a 50.');
    await page.fill('#busca-form [name=limite]', '20');
    expect(await page.locator('#busca-form .engano').count()).toBe(0);
    await page.evaluate(`document.querySelector('#stf-threads').removeAttribute('max')`);
    await page.press('#stf-threads', 'Enter');
    await expect
      .poll(text(page, '#painel-stf .ajustes .resposta'), WAIT)
      .toBe('threads: use um número inteiro de 1 a 64.');
  });

  test('writes changes to config.toml', async () => {
    const { page } = await open();
    expect(await page.isDisabled('#gravar')).toBe(true);
    await page.click('#painel-trt3 summary');
    await page.fill('#trt3-queue_max', '300');
    await page.press('#trt3-queue_max', 'Enter');
    await expect.poll(() => page.isEnabled('#gravar'), WAIT).toBe(true);
    await page.click('#gravar');
    await page.click('#confirmar-sim');
    await expect.poll(text(page, '#mudancas-aviso'), WAIT).toMatch(/^1 ajuste gravado em .*config\.toml\.$/u);
    await expect.poll(text(page, '#trt3-queue_max-origem'), WAIT).toBe('config.toml: bases.trt3.queue_max');
  });

  test('warns of a variable that outranks what was written, and keeps apart the lines of what is wrong with the file', async () => {
    const own = await startService(DECISIONS, { BASES_TRT3_QUEUE_MAX: '1500' });
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    await page.click('#painel-trt3 summary');
    await page.fill('#trt3-queue_max', '777');
    await page.press('#trt3-queue_max', 'Enter');
    await expect
      .poll(() => page.getAttribute('#painel-trt3 .tela', 'data-marcas'), WAIT)
      .toBe('fila, no máximo 1.500→777');
    await expect.poll(text(page, '#historico tbody tr'), WAIT).toMatch(/^1\d\d\/\d\d/u);
    await page.click('#gravar');
    await page.click('#confirmar-sim');
    await expect
      .poll(text(page, '#mudancas-aviso .ressalva'), WAIT)
      .toContain('a variável BASES_TRT3_QUEUE_MAX vale mais');
    expect(await page.getAttribute('#mudancas-aviso', 'class')).toBe('resposta');
    await shoot(page, 'outranked');
    expect(await seriousFaults(page)).toEqual([]);
    await page.fill('#trt3-queue_max', '778');
    await page.press('#trt3-queue_max', 'Enter');
    await expect.poll(() => page.locator('#historico tbody tr').count(), WAIT).toBe(2);
    writeFileSync(join(own.dataDir, 'config.toml'), 'porta = 1\n[bases.stj]\nthreads = 0\n');
    await page.click('#gravar');
    await expect
      .poll(async () => (await text(page, '#mudancas-aviso')()).split('\n'), WAIT)
      .toEqual([
        expect.stringMatching(/^O arquivo config\.toml não é válido/u),
        expect.stringMatching(/^  - config\.toml: there is no setting porta/u),
        expect.stringMatching(/^  - config\.toml: bases\.stj\.threads: must be/u),
      ]);
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('#mudancas-aviso')).whiteSpace`),
    ).toMatch(/^(?:pre-wrap|break-spaces)$/u);
    await shoot(page, 'invalid-file');
  });

  test('issues a key, shows it once, and revokes it only when that is confirmed', async () => {
    const { page } = await open();
    await page.fill('#chave-form [name=nome]', 'acme');
    await page.fill('#chave-form [name=cota]', '50');
    await page.press('#chave-form [name=cota]', 'Enter');
    await expect.poll(text(page, '#chave-nova code'), WAIT).toMatch(/^jur_[a-z2-7]{38}$/u);
    const key = (await page.textContent('#chave-nova code')) ?? '';
    await shoot(page, 'key');
    expect(await seriousFaults(page)).toEqual([]);
    const row = page.locator('#chaves-tabela tbody tr', { hasText: 'acme' });
    await expect.poll(() => row.textContent(), WAIT).toContain('50');
    const search = () =>
      service.get('/v1/jurisprudencia/busca?q=dano', { headers: { authorization: `Bearer ${key}` } });
    await expect.poll(async () => (await search()).status, WAIT).toBe(200);
    await page.click('#chave-nova button:has-text("Já guardei")');
    await page.reload();
    await expect.poll(() => row.count(), WAIT).toBe(1);
    expect(await page.content()).not.toContain(key);

    await row.locator('button').click();
    await page.click('#confirmar button[value=nao]');
    expect((await search()).status).toBe(200);
    await row.locator('button').click();
    expect(await page.textContent('#confirmar-texto')).toContain('Revogar a chave acme?');
    await page.click('#confirmar-sim');
    await expect.poll(text(page, '#chave-aviso'), WAIT).toBe('A chave acme foi revogada.');
    await expect.poll(() => row.textContent(), WAIT).toContain('revogada em');
    await expect.poll(async () => (await search()).status, WAIT).toBe(401);
  });

  test('keeps a key in sight when another is issued, and a long name within the page', async () => {
    const { page } = await open();
    const names = ['nome-longo-'.repeat(6).slice(0, 64), 'segunda'];
    for (const [at, name] of names.entries()) {
      await page.fill('#chave-form [name=nome]', name);
      await page.press('#chave-form [name=nome]', 'Enter');
      await expect.poll(() => page.locator('#chave-nova code').count(), WAIT).toBe(at + 1);
    }
    const [latest, first] = await page.locator('#chave-nova .chave-nova').allTextContents();
    expect(latest).toContain('Chave de segunda.');
    expect(first).toContain(`Chave de ${names[0]}.`);
    await expect.poll(() => page.locator('#chaves-tabela th.nome').count(), WAIT).toBeGreaterThanOrEqual(2);
    await shoot(page, 'keys');
    const overflow = `(() => {
      const place = document.querySelector('#chaves .rolagem');
      return place.scrollWidth - place.clientWidth;
    })()`;
    expect(await page.evaluate(overflow)).toBe(0);
    await page.locator('#chave-nova button:has-text("Já guardei")').first().click();
    expect(await page.locator('#chave-nova code').count()).toBe(1);
  });

  test('says why it gets no figures where too many pages are open, and follows once there is room', async () => {
    const own = await startService(DECISIONS);
    onTestFinished(() => own.stop());
    const others = new AbortController();
    const streams = Array.from({ length: 32 }, () =>
      fetch(`${own.adminUrl}/console/api/eventos`, { signal: others.signal }),
    );
    // Held to the end: Bun closes what comes for an answer that nobody holds.
    const pages = await Promise.all(streams);
    expect(pages.every(({ status }) => status === 200)).toBe(true);
    const { page, close } = await openPage(browser, `${own.adminUrl}/console`, VIEWS[0]!);
    onTestFinished(close);
    await expect
      .poll(text(page, '#faixa-texto'), WAIT)
      .toMatch(/^Há 32 páginas do console abertas; feche uma delas\. /u);
    expect(await page.textContent('#ligacao')).toBe('Não ligado ao serviço');
    expect(await page.textContent('#painel-stj .contagens')).not.toMatch(/\d/u);
    await shoot(page, 'refused');
    expect(await seriousFaults(page)).toEqual([]);
    others.abort();
    await Promise.allSettled(pages.map((one) => one.text()));
    await expect.poll(text(page, '#ligacao'), WAIT).toMatch(/^Ligado/u);
    expect(await page.isVisible('#faixa')).toBe(false);
  });

  test('shows a search as a waterfall, and why one is refused', async () => {
    const { page } = await open();
    await page.fill('#busca-q', '"dano');
    await page.press('#busca-q', 'Enter');
    await expect.poll(text(page, '#busca-resultado'), WAIT).toMatch(/aspas/u);
    await page.fill('#busca-q', 'dano moral');
    await page.press('#busca-q', 'Enter');
    await expect.poll(() => page.locator('#busca-resultado th.base').allTextContents(), WAIT).toHaveLength(6);
    expect(await page.locator('#busca-resultado svg.barra rect.parte-exec').count()).toBeGreaterThanOrEqual(
      6,
    );
    await expect.poll(text(page, '#busca-resultado .resposta'), WAIT).toMatch(/^20 itens em [\d,.]+ ms\.$/u);
    expect(await page.textContent('#busca-resultado .escala .ultima')).toMatch(/^[\d.,]+ ms$/u);
    expect(await page.locator('#busca-resultado .itens tbody tr').count()).toBe(20);
    expect(await page.textContent('#busca-resultado .itens tbody tr')).toMatch(/^tst:\d+acórdão/u);
  });

  test('takes filters in a search, says how many hold, and goes on to the next page', async () => {
    const { page } = await open();
    await page.fill('#busca-q', 'dano');
    await page.fill('#busca-form [name=limite]', '8');
    await page.click('.filtros summary');
    await page.fill('#busca-form [name=tribunal]', 'stj,stf');
    await page.selectOption('#busca-form [name=tipo]', { label: 'acórdão' });
    expect(await page.textContent('#busca-filtros-em-uso')).toBe('tribunal, tipo');
    await page.press('#busca-q', 'Enter');
    const ids = () => page.locator('#busca-resultado .itens th[scope=row]').allTextContents();
    await expect.poll(ids, WAIT).toHaveLength(8);
    const first = await ids();
    expect(first.every((id) => /^st[jf]:/u.test(id))).toBe(true);
    await page.click('#busca-resultado button:has-text("Próxima página")');
    // The list is empty for a moment.
    await expect.poll(async () => (await ids()).filter((id) => !first.includes(id)), WAIT).toHaveLength(8);
    expect(await ids()).toHaveLength(8);
    expect(await page.textContent('#busca-filtros-em-uso')).toBe('tribunal, tipo, cursor');
    expect(await seriousFaults(page)).toEqual([]);
    await page.click('#busca-filtros-limpar');
    expect(await page.textContent('#busca-filtros-em-uso')).toBe('nenhum');
    expect(await page.inputValue('#busca-q')).toBe('dano');
  });

  test('leads from a base, by click or by keyboard, to its slowest searches of the moment and their waterfall', async () => {
    // None is slow, so that no text is kept.
    const own = await startService(DECISIONS, { SLOW_MS: '60000' });
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    await expect.poll(text(page, '#lentas-tabela'), WAIT).toContain('Nenhuma desde que o serviço iniciou.');
    // Each time another one: on a busy machine the first may be older than the seconds that are shown.
    let searches = 0;
    await expect
      .poll(async () => {
        await own.busca({ q: `dano ${(searches += 1)}`, ordem: 'recentes' });
        return page.textContent('#painel-stj .percentis tbody td');
      }, WAIT)
      .toMatch(/\d/u);
    await page.focus('#painel-stj .titulo button');
    await page.keyboard.press('Enter');
    await expect.poll(text(page, '#lentas-nota'), WAIT).toMatch(/^As que mais tomaram de stj nos 10 s até/u);
    await expect.poll(() => page.locator('#lentas-tabela .cascata th.base').count(), WAIT).toBe(6);
    expect(await page.textContent('#lentas-tabela')).toContain('texto não guardado ordem=recentes');
    expect(await page.textContent('#lentas-tabela')).not.toContain('dano');
    await shoot(page, 'point');
    expect(await seriousFaults(page)).toEqual([]);
    await page.click('#lentas-todas');
    await expect.poll(text(page, '#lentas-tabela'), WAIT).toContain('Nenhuma desde');
    const box = await page.locator('#painel-stf .u-over').boundingBox();
    await page.mouse.click(box!.x + box!.width - 3, box!.y + 20);
    await expect.poll(text(page, '#lentas-nota'), WAIT).toMatch(/^As que mais tomaram de stf/u);
    await page.mouse.move(0, 0);
    await page.focus('#painel-tjmg .tela');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(text(page, '#painel-tjmg .leitura'), WAIT).toMatch(/^\d{2}:\d{2}:\d{2}  p50/u);
    await page.keyboard.press('Enter');
    await expect.poll(text(page, '#lentas-nota'), WAIT).toMatch(/^As que mais tomaram de tjmg/u);
  });

  test('lists an incomplete search with what was wrong, and repeats it from there', async () => {
    const own = await startService(DECISIONS, { SLOW_MS: '1' });
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    const file = baseFile(own.dataDir, 'tjmg');
    renameSync(file, `${file}.away`);
    await expect
      .poll(async () => {
        await own.busca({ q: 'moral', tipo: 'acordao' });
        return page.textContent('#lentas-tabela');
      }, WAIT)
      .toMatch(/tjmg: falhoulentamoral tipo=acordao/u);
    await page.locator('#lentas-tabela tr:has-text("lenta") button:has-text("Ver")').first().click();
    await page.click('#lentas-tabela button:has-text("Repetir por dentro")');
    await expect.poll(text(page, '#busca-resultado .resposta'), WAIT).toMatch(/Sem resposta: tjmg/u);
    expect(await page.inputValue('#busca-q')).toBe('moral');
    expect(await page.inputValue('#busca-form [name=tipo]')).toBe('acordao');
    await shoot(page, 'incomplete');
  });

  test('says who asks most, what is left of each quota, and what each base holds', async () => {
    const own = await startService(DECISIONS, { QUOTA_PER_DAY: '4' });
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    for (let at = 0; at < 8; at += 1) await own.busca({ q: 'dano' });
    await expect
      .poll(text(page, '#servico-nota'), WAIT)
      .toMatch(/Quem mais pede: a chave teste, [\d,]+ \/s \(100%\), [\d,]+ delas recusadas\.$/u);
    expect(await page.textContent('#chaves-tabela tbody tr')).toMatch(/^teste.*04 do serviço 100%/u);
    expect(await page.textContent('#chaves-nota')).toMatch(
      /^A cota começa de novo em \d+ (?:s|min|h), à meia-noite UTC\.$/u,
    );
    await page.reload();
    await expect
      .poll(text(page, '#painel-stj .dados'), WAIT)
      .toMatch(/^30\sdecisões · [\d,]+\s[kM]B · carregada\shá\s\d+\s(?:s|min) · dados\snº\s\d+$/u);
    expect(await page.textContent('#ligacao')).toMatch(/^Ligado; versão \d+\.\d+\.\d+, no ar desde/u);
  });

  test('draws the decisions of each base by year, and types by their names', async () => {
    const report = (base: string, total: number, de: string, ate: string, tipos: string[]) => ({
      base,
      calculado: true,
      total,
      periodo_do_julgamento: { de, ate },
      periodo_da_publicacao: { de: null, ate: null },
      tipos,
      calculado_em: '2026-01-01T00:00:00Z',
    });
    const bases = [
      report('stj', 9, '1999-01-01', '2003-05-06', ['acordao', 'decisao_vice_presidencia']),
      report('stf', 1, '2001-01-01', '2002-01-01', []),
    ];
    const years = [
      [1999, 2],
      [2003, 6],
    ];
    const page = await openGiven('cobertura', () => ({ bases, anos: { stj: years } }));
    await expect.poll(() => page.locator('#cobertura-tabela tbody tr').count(), WAIT).toBe(2);
    const drawn = page.locator('#cobertura-tabela svg title');
    expect(await drawn.allTextContents()).toEqual(['1999: 2', '2003: 6']);
    const named = page.locator('#cobertura-tabela .escala span');
    expect(await named.allTextContents()).toEqual(['1999', '2000', '2001', '2002', '2003']);
    const [stj, stf] = await page.locator('#cobertura-tabela tbody tr').allTextContents();
    expect(stj).toContain('1 sem data');
    expect(stj).toContain('acórdão, decisão da Vice-Presidência');
    expect(stf).toContain('os anos vêm com o próximo cálculo');
  });

  test('leads to the other pages of the service, and back', async () => {
    const { page } = await open();
    for (const [name, path] of [
      ['API', '/openapi'],
      ['Métricas', '/metrics'],
      ['Saúde', '/health/ready'],
    ] as const)
      expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path);
    await page.getByRole('link', { name: 'API', exact: true }).click();
    for (const path of ['/metrics', '/health/ready'])
      expect(await page.locator(`a[href="${path}"]`).count()).toBe(1);
    await page.getByRole('link', { name: 'Console', exact: true }).click();
    await expect.poll(text(page, '#ligacao'), WAIT).toMatch(/^Ligado/u);
  });

  test('says so where a table is wider than its place, and has none that is at 390 pixels', async () => {
    const { page } = await open(service.adminUrl, { scheme: 'light', width: 760 });
    await page.fill('#busca-q', 'dano');
    await page.press('#busca-q', 'Enter');
    await expect.poll(() => page.locator('.cascata').count(), WAIT).toBe(1);
    const states = () =>
      page.evaluate<[number, string | undefined][]>(`
        [...document.querySelectorAll('.rolagem')].map((one) => [one.scrollWidth - one.clientWidth, one.dataset.rola])`);
    const agree = (all: [number, string | undefined][]) =>
      all.every(([over, state]) => (over > 1 ? state === 'continua' || state === 'fim' : !state));
    await expect.poll(async () => agree(await states()), WAIT).toBe(true);
    await page.evaluate(`document.querySelector('.cascata').style.width = '2000px'`);
    await expect
      .poll(() => page.getAttribute('#busca-resultado .rolagem', 'data-rola'), WAIT)
      .toBe('continua');
    await page.evaluate(`document.querySelector('#busca-resultado .rolagem').scrollLeft = 9999`);
    await expect.poll(() => page.getAttribute('#busca-resultado .rolagem', 'data-rola'), WAIT).toBe('fim');
    await page.evaluate(`document.querySelector('.cascata').style.width = ''`);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect
      .poll(async () => Math.max(...(await states()).map(([over]) => over)), WAIT)
      .toBeLessThanOrEqual(1);
  });

  test('says that a base is down, and that it is back', async () => {
    const own = await startService(DECISIONS);
    onTestFinished(() => own.stop());
    const { page } = await open(own.adminUrl);
    const file = baseFile(own.dataDir, 'stf');
    renameSync(file, `${file}.away`);
    const search = () => own.busca({ q: 'dano' });
    await expect.poll(async () => (await search()).body.bases_sem_resposta.length, WAIT).toBe(1);
    await expect.poll(text(page, '#painel-stf .estado'), WAIT).toBe('fora do ar');
    expect(await page.textContent('#painel-stf .motivo')).toBe(`o arquivo da base não está lá: ${file}`);
    expect(await page.textContent('#painel-stj .estado')).toBe('no ar');
    expect(await page.textContent('#alerta')).toBe('stf fora do ar');
    expect(await page.title()).toBe('■ stf fora do ar – Console da busca de jurisprudência');
    expect(await page.getAttribute('#icone', 'href')).toBe('/console/icon-down.svg');
    await page.fill('#busca-q', 'dano');
    await page.press('#busca-q', 'Enter');
    await expect.poll(text(page, '#busca-resultado .resposta'), WAIT).toMatch(/Sem resposta: stf \(falhou/u);
    await shoot(page, 'down');
    expect(await seriousFaults(page)).toEqual([]);
    renameSync(`${file}.away`, file);
    await expect
      .poll(async () => {
        await search();
        return page.textContent('#painel-stf .estado');
      }, WAIT)
      .toBe('no ar');
    await expect.poll(() => page.title(), WAIT).toBe('Console da busca de jurisprudência');
    expect(await page.isVisible('#alerta')).toBe(false);
    expect(await page.getAttribute('#icone', 'href')).toBe('/console/icon.svg');
  });

  test('is amber while users get incomplete answers or 5xx from bases that are up', async () => {
    const { page } = await open();
    // At once, since the service's own figures follow within a second.
    const shown = async (figures: Record<string, number>) =>
      page.evaluate<string[]>(`import('/console/alert.js').then(({ showAlert }) => {
        showAlert({}, ${JSON.stringify(figures)});
        const { hidden, dataset, textContent } = document.querySelector('#alerta');
        return [hidden, dataset.marca, textContent, document.title, document.querySelector('#icone').getAttribute('href')].map(String);
      })`);
    const told = '99 buscas incompletas de 200 em 10 s, 12 respostas 5xx em 10 s';
    expect(await shown({ buscas: 200, completas: 101, erros_5xx: 12, segundos: 10 })).toEqual([
      'false',
      'aviso',
      told,
      `▲ ${told} – Console da busca de jurisprudência`,
      '/console/icon-warning.svg',
    ]);
    const [isHidden] = await shown({ buscas: 200, completas: 200, erros_5xx: 0, segundos: 10 });
    expect(isHidden).toBe('true');
  });

  test('has one line for a search that every base refused', async () => {
    const refused = {
      em: 1_780_000_000,
      id: 'a',
      rota: 'busca',
      status: 200,
      ms: 1.2,
      lenta: false,
      parametros: { q: 'dano' },
      bases_sem_resposta: BASES.map((base) => ({ base, tempo_esgotado: false })),
      passos: [],
    };
    const answer = { lenta_ms: 500, com_texto: true, buscas: [refused] };
    const page = await openGiven('buscas', () => answer);
    await expect
      .poll(() => page.locator('#lentas-tabela .marca').allTextContents(), WAIT)
      .toEqual(['6 bases: recusada']);
  });

  test('says how much room the disk of the data has, and that it is full', async () => {
    let livre_bytes = 40e9;
    const page = await openGiven('bases', () => ({ bases: [], disco: { livre_bytes, bytes: 200e9 } }));
    await expect.poll(text(page, '#disco'), WAIT).toBe('Disco dos dados: 40,0 GB livres de 200 GB');
    expect(await page.getAttribute('#disco', 'data-marca')).toBe('');
    livre_bytes = 1e9;
    await page.clock.fastForward(ASKED_AGAIN_MS);
    await expect.poll(() => page.getAttribute('#disco', 'data-marca'), WAIT).toBe('aviso');
    expect(await page.isVisible('#alerta')).toBe(false);
    livre_bytes = 0;
    await page.clock.fastForward(ASKED_AGAIN_MS);
    await expect.poll(text(page, '#alerta:not([hidden])'), WAIT).toBe('disco cheio');
    expect(await page.title()).toMatch(/^■ disco cheio – /u);
    expect(await seriousFaults(page)).toEqual([]);
    livre_bytes = 40e9;
    await page.clock.fastForward(ASKED_AGAIN_MS);
    await expect.poll(() => page.isVisible('#alerta'), WAIT).toBe(false);
  });

  test('keeps the focus and what is half written while figures arrive and keys change places', async () => {
    const key = (nome: string, por_s: number) => ({
      nome,
      por_s,
      emitida_em: '2026-01-01T00:00:00Z',
      revogada_em: null,
      cota: 10,
      cota_propria: false,
      usadas_hoje: 1,
      restam: 9,
      renova_em_s: 60,
      recusas_por_s: 0,
    });
    let chaves = [key('a', 2), key('b', 1)];
    const page = await openGiven('chaves', () => ({ chaves, danificadas: [] }));
    const first = text(page, '#chaves-tabela tbody th');
    await expect.poll(first, WAIT).toBe('a');
    await page.click('#painel-stj summary');
    await page.fill('#stj-threads', '7');
    const revoke = page.locator('[aria-label="Revogar a chave b"]');
    await revoke.focus();
    chaves = [key('a', 2), key('b', 3)];
    await page.clock.fastForward(ASKED_AGAIN_MS);
    await expect.poll(first, WAIT).toBe('b');
    expect(await revoke.evaluate((button) => button.matches(':focus'))).toBe(true);
    expect(await page.inputValue('#stj-threads')).toBe('7');
  });

  test('says that the service is gone, connects again by itself and keeps what it knew', async () => {
    const ADMIN_PORT = String(ownPort());
    const own = await startService(DECISIONS, { ADMIN_PORT });
    const config = readConfig({ ...AMPLE_WINDOWS, PORT: '0', ADMIN_PORT, DATA_DIR: own.dataDir });
    const { page } = await open(own.adminUrl);
    await own.busca({ q: 'dano' });
    await expect.poll(text(page, '#painel-stj .contagens .conta'), WAIT).toBe('1');
    await page.check('input[value=vazao]', { force: true });
    // The rows of the page may take a request of their own.
    await expect
      .poll(text(page, '#painel-stj .leitura'), WAIT)
      .toMatch(/^em 5 min: [12] à base, 0 do cache$/u);
    const known = await page.textContent('#painel-stj .leitura');
    await page.click('#painel-stj summary');
    await page.fill('#stj-count_ms', '77');
    await page.press('#stj-count_ms', 'Enter');
    await expect.poll(text(page, '#stj-count_ms-origem'), WAIT).toMatch(/^mudado aqui/u);
    let second: System | undefined;
    await own.stopKeeping();
    try {
      await expect.poll(text(page, '#faixa-texto'), WAIT).toMatch(/^O serviço não responde desde/u);
      expect(await page.textContent('#painel-stj .estado')).toBe('sem contato');
      await page.fill('#stj-threads', '3');
      await page.press('#stj-threads', 'Enter');
      await expect.poll(text(page, '#painel-stj .ajustes .resposta'), WAIT).toMatch(/não está ao alcance/u);
      await shoot(page, 'gone');
      expect(await seriousFaults(page)).toEqual([]);
      second = startSystem(config, createLog('silent').log);
      await expect.poll(text(page, '#faixa-texto'), WAIT).toMatch(/^O serviço reiniciou às/u);
      expect(await page.textContent('#painel-stj .ajustes .resposta')).toBe('');
      await expect.poll(text(page, '#painel-stj .estado'), WAIT).toBe('no ar');
      // What was not written is as it was before, and what the page had seen is still there.
      await expect.poll(() => page.inputValue('#stj-count_ms'), WAIT).toBe(AMPLE_WINDOWS.BASES_COUNT_MS);
      expect(await page.textContent('#painel-stj .leitura')).toBe(known);
      await shoot(page, 'restarted');
      await page.click('#faixa-fechar');
      expect(await page.isVisible('#faixa')).toBe(false);
    } finally {
      await second?.stop();
      await own.stop();
    }
  });

  test('breaks the lines of its charts where seconds are missing, and shows a second by itself as a point', async () => {
    const { page } = await open();
    const made = await page.evaluate<unknown>(`(async () => {
      const { columns, lonely } = await import('/console/points.js');
      const { GRANDEZAS } = await import('/console/metrics.js');
      const of = (em, uso) => ({ em, uso });
      const uso = GRANDEZAS.find(({ id }) => id === 'uso');
      const made = columns([of(1, 0.5), of(2, 0.6), of(9, 0.7), of(10, null), of(11, 0.8)], uso);
      return [made, lonely(made[1])];
    })()`);
    expect(made).toEqual([
      [
        [1, 2, 3, 9, 10, 11],
        [0.5, 0.6, null, 0.7, null, 0.8],
      ],
      [3, 5],
    ]);
  });

  test('keeps the figures of a panel within it, however large they are and wherever it is narrowest', async () => {
    // Three panels side by side have just enough room.
    const { page } = await open(service.adminUrl, { scheme: 'light', width: 1_210 });
    const over = await page.evaluate<number>(`(() => {
      const panel = document.querySelector('#painel-stj .numeros');
      for (const place of panel.querySelectorAll('.percentis tbody span')) place.textContent = '12.345';
      const [rate, kept, use] = panel.querySelectorAll('.medidores dd');
      for (const place of [rate, kept]) place.firstChild.textContent = '12.345';
      use.textContent = '100%';
      for (const place of panel.querySelectorAll('.idade span')) place.textContent = 'há 59 min';
      for (const place of panel.querySelectorAll('.conta')) place.textContent = '99';
      const right = (element) => element.getBoundingClientRect().right;
      return Math.max(...[...panel.querySelectorAll('*')].map(right)) - right(panel);
    })()`);
    expect(over).toBeLessThanOrEqual(0);
  });

  test('marks what has just failed, says how long ago it was, and marks what is long past no more', async () => {
    const { page } = await open();
    const shown = await page.evaluate<unknown>(`(async () => {
      const { counts } = await import('/console/base-panel.js');
      const { show } = await import('/console/html.js');
      const recent = { relevancia: 10, recentes: 0, recuos: 0, tempo_esgotado: 0, recusados: 0, falhas: 1,
        ultimos: { recuos: null, tempo_esgotado: null, recusados: 1_000, falhas: 1_200 } };
      show('busca-resultado', counts(recent, 1_205));
      return [...document.querySelectorAll('#busca-resultado .contagens div')].map((one) => [one.textContent, one.className]);
    })()`);
    expect(shown).toEqual([
      ['por relevância10', ''],
      ['por recentes0', ''],
      ['recuos0', ''],
      ['tempo esgotado0', ''],
      ['recusadoshá 3 min0', ''],
      ['falhashá 5 s1', 'atencao'],
    ]);
  });

  test('keeps the theme that was chosen, whatever the system’s is', async () => {
    const { page } = await open(service.adminUrl, { scheme: 'light', width: 1_280 });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.selectOption('#tema', 'escuro');
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await background()).toBe(dark);
    await page.selectOption('#tema', '');
    expect(await background()).toBe(light);
  });

  test('says so where nothing has been asked of a base, and compares bases by whatever is chosen', async () => {
    const { page } = await open();
    await page.check('input[value=falhas]', { force: true });
    await expect.poll(text(page, '#painel-eproc .vazio'), WAIT).toBe('nenhuma no período');
    expect(await page.isVisible('#painel-eproc .vazio')).toBe(true);
    for (const id of ['fila', 'vazao', 'uso']) {
      await page.check(`input[value=${id}]`, { force: true });
      expect(await page.locator('#paineis canvas:visible').count()).toBeGreaterThanOrEqual(6);
    }
  });
});
