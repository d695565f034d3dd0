import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
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
import {
  AMPLE_WINDOWS,
  configIn,
  DEFAULT_THREADS,
  inEachBase,
  startService,
  type Service,
} from '../../support/service.ts';
import { acordaos } from '../../http/checks.ts';

const DECISIONS = inEachBase(acordaos(30, 'Dano moral'));
const USUAL: View = { scheme: 'light', width: 1_280 };
/** Each width, and each scheme where it is narrow and where it is wide. */
const VIEWS: readonly View[] = [
  { scheme: 'light', width: 1_440 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 1_920 },
];
/** After so long the page asks for the keys again. */
const ASKED_AGAIN_MS = 3_000;
/** The folder of the docs, to make their pictures anew. */
const PICTURES = process.env['CONSOLE_PICTURES'];
const PICTURE_LOAD_MS = 65_000;
const PICTURE_CLIP = { x: 0, y: 0, width: 1_440, height: 1_150 };

bePatient();

describe.skipIf(!hasChromium())('the console in a browser', () => {
  let browser: Browser;
  let service: Service;
  /** Two windows for most tests: a new one takes three times as long as an address in an old one. */
  let usual: Opened;
  let given: Page;
  /** A service whose settings tests change. */
  let tuned: Promise<Service> | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
    usual = await openPage(browser, 'about:blank', USUAL);
    ({ page: given } = await openPage(browser, 'about:blank', USUAL));
    await given.clock.install();
    // No search is slow, so that no text is kept.
    service = await startService(DECISIONS, { ...DEFAULT_THREADS, SLOW_MS: '60000' });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await (await tuned)?.stop();
  });
  const tunedService = () =>
    (tuned ??= startService(DECISIONS, {
      ...DEFAULT_THREADS,
      BASES_RELEVANCE_MS: '1500',
      BASES_TRT3_QUEUE_MAX: '1500',
    }));

  /** In a new window if a view is given. */
  async function open(url = service.adminUrl, view?: View): Promise<Opened> {
    let opened = usual;
    if (view === undefined) {
      await usual.page.setViewportSize({ width: USUAL.width, height: 800 });
      await usual.page.goto(`${url}/console`);
    } else {
      opened = await openPage(browser, `${url}/console`, view);
      onTestFinished(() => opened.close());
    }
    await expect.poll(() => opened.page.textContent('#ligacao'), WAIT).toMatch(/^Ligado/u);
    await expect.poll(() => opened.page.inputValue('#stj-threads'), WAIT).not.toBe('');
    return opened;
  }
  /** The page with parts of the service's answers made up; its clock is stopped until it is advanced. */
  async function openGiven(answers: Readonly<Record<string, () => object>>): Promise<Page> {
    await given.unrouteAll({ behavior: 'ignoreErrors' });
    for (const [path, answer] of Object.entries(answers))
      await given.route(
        (url) => url.pathname === `/console/api/${path}`,
        async (route) => {
          const own = await (await route.fetch()).json();
          await route.fulfill({ json: { ...own, ...answer() } });
        },
      );
    await given.setViewportSize({ width: USUAL.width, height: 800 });
    await given.goto(`${service.adminUrl}/console`);
    await expect
      .poll(async () => {
        const link = (await given.textContent('#ligacao')) ?? '';
        // On a busy machine the first question may come to nothing; the next one is asked by the clock.
        if (link.startsWith('Sem contato')) await given.clock.runFor(1_000);
        return link;
      }, WAIT)
      .toMatch(/^Ligado/u);
    return given;
  }
  const text = (page: Page, selector: string) => async () => (await page.textContent(selector)) ?? '';
  const enter = async (page: Page, selector: string, value: string) => {
    await page.fill(selector, value);
    await page.press(selector, 'Enter');
  };
  /** Waits until an element has this text, or one like it. */
  const shows = async (page: Page, selector: string, wanted: string | RegExp) =>
    typeof wanted === 'string'
      ? expect.poll(text(page, selector), WAIT).toBe(wanted)
      : expect.poll(text(page, selector), WAIT).toMatch(wanted);
  /** Waits until the chart of a base has these marks. */
  const marks = async (page: Page, base: string, wanted: string) =>
    expect.poll(() => page.getAttribute(`#painel-${base} .tela`, 'data-marcas'), WAIT).toBe(wanted);

  /** Waits by the clock, for its charts are of a minute; so it runs for who asks for the pictures alone. */
  const makePictures = async (folder: string) => {
    const made = await startService(
      Object.fromEntries(BASES.map((base) => [base, [...demoLines(base, 400, 7)]])),
      { ...DEFAULT_THREADS, SLOW_MS: '500' },
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

  test.each(VIEWS)('is whole, without errors or serious axe violations ($scheme, $width)', async (view) => {
    const { page, said, asked } = await open(service.adminUrl, view);
    // Asked by nobody before: what is kept tells nothing of the pool.
    await service.busca({ q: `dano ${VIEWS.indexOf(view)}` });
    await shows(page, '#painel-stj .percentis tbody td', /\d/u);
    await page.fill('#busca-q', 'dano moral');
    await page.click('#busca-form button');
    await expect
      .poll(() => page.locator('#busca-resultado tbody tr').count(), WAIT)
      .toBeGreaterThanOrEqual(6);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
    // On a phone no table scrolls sideways.
    const hidden = `Math.max(...[...document.querySelectorAll('.rolagem')].map((one) => one.scrollWidth - one.clientWidth))`;
    if (view.width === 390) expect(await page.evaluate(hidden)).toBeLessThanOrEqual(1);
    await page.click('#painel-stj summary');
    const alike = ['stf', 'tjmg', 'trt3', 'eproc'].map((base) => `#painel-${base}`);
    expect(await seriousFaults(page, 'html', alike)).toEqual([]);
    expect(said).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(service.adminUrl))).toEqual([]);
  });

  test('shows how many users got complete answers, from cache or bases, and how many were rejected', async () => {
    const page = await openGiven({});
    await shows(page, '#ficha-pedidos .miudo', /^\d+ em \d+ s$/u);
    const shown = async (figures: object) =>
      page.evaluate<Record<string, string>>(`import('/console/state.ts').then(async ({ page }) => {
        const { showStrip } = await import('/console/strip.ts');
        Object.assign(page.series.servico, { segundos: 10, ultima_429: null, ultimo_5xx: null }, ${JSON.stringify(figures)});
        showStrip();
        return Object.fromEntries([...document.querySelectorAll('.ficha')].map((one) =>
          [one.id.slice(6), one.textContent + one.dataset.marca]));
      })`);
    const none = { respostas: 0, respostas_por_s: 0, buscas: 0, completas: 0, pelas_bases: 0, do_cache: 0 };
    const empty = await shown({ ...none, recusas_429: 0, erros_5xx: 0 });
    expect(empty).toMatchObject({ pedidos: 'Pedidos0 /s0 em 10 s', completas: 'Completas–nenhuma busca' });
    expect(empty).toMatchObject({ recusas: '4290nenhum até aqui', 'do-cache': 'Do cache–nenhum pedido' });
    expect(empty['cpu']).toMatch(/^CPU\d/u);
    const few = {
      respostas: 5,
      respostas_por_s: 0.5,
      buscas: 4,
      completas: 4,
      pelas_bases: 4,
      do_cache: 3,
      recusas_429: 2,
      erros_5xx: 1,
      servidas: { p50: 1, p95: 2, p99: 12.5 },
    };
    expect(await shown(few)).toMatchObject({
      pedidos: 'Pedidos0,50 /s5 em 10 s',
      completas: 'Completas100%de 4 buscas',
      p50: 'p50 servido1,00 mspedido inteiro',
      p99: 'p99 servido12,5 mssó 5 respostas',
      recusas: '4292nenhum até aquiaviso',
      erros: '5xx1nenhum até aquifalha',
      'do-cache': 'Do cache75,0%sem ir às bases',
    });
  });

  test('changes a setting by keyboard, marks it on that base’s chart alone, and changes it back', async () => {
    const { page } = await open();
    await page.focus('#painel-tjmg summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('tjmg-threads');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await shows(page, '#painel-tjmg .ajustes .resposta', 'threads de tjmg: de 2 para 1.');
    await shows(page, '#painel-tjmg .pool', /^1 thread /u);
    await shows(page, '#tjmg-threads-origem', 'mudado aqui; ao reiniciar volta a 2');
    await marks(page, 'tjmg', 'threads 2→1');
    expect(await page.getAttribute('#painel-stj .tela', 'data-marcas')).toBe('');

    await page.focus('[aria-label="Voltar a 2: threads de tjmg"]');
    await page.keyboard.press('Enter');
    await shows(page, '#mudancas-aviso', 'threads de tjmg: de 1 para 2.');
    await shows(page, '#painel-tjmg .pool', /^2 threads/u);
    await expect.poll(() => page.inputValue('#tjmg-threads'), WAIT).toBe('2');
    await marks(page, 'tjmg', 'threads 2→1, threads 1→2');
  });

  test('makes a harmful change only after a confirmation that explains the harm', async () => {
    const own = await tunedService();
    const { page } = await open(own.adminUrl);
    await page.click('#painel-stf summary');
    await enter(page, '#stf-threads', '64');
    await shows(
      page,
      '#confirmar[open] #confirmar-texto',
      /threads para \d+ núcleos?, mais de .* Pôr threads de stf em 64 mesmo assim\?$/u,
    );
    expect(await page.evaluate('document.activeElement.value')).toBe('nao');
    expect(await seriousFaults(page, '#confirmar')).toEqual([]);
    await page.keyboard.press('Escape');
    await shows(page, '#painel-stf .ajustes .resposta', 'Nada mudou.');
    expect(await page.locator('#historico tbody tr').count()).toBe(0);
    await enter(page, '#stf-relevance_ms', '1');
    const consequence = /as buscas por relevância em stf não terminam a tempo/u;
    await shows(page, '#confirmar[open] #confirmar-texto', consequence);
    await page.click('#confirmar-sim');
    await shows(page, '#painel-stf .ajustes .resposta', 'janela de relevância de stf: de 1.500 para 1.');
    await page.click('#gravar');
    await expect
      .poll(() => page.locator('#confirmar-linhas li').allTextContents(), WAIT)
      .toEqual(['bases.stf.relevance_ms: de 1.500 para 1']);
    expect(await seriousFaults(page, '#confirmar')).toEqual([]);
    await page.keyboard.press('Escape');
    await shows(page, '#mudancas-aviso', 'Nada foi gravado.');
    expect(existsSync(join(own.dataDir, 'live.toml'))).toBe(false);
  });

  test('explains an invalid value, and sends none that the browser can refuse', async () => {
    const { page } = await open();
    await page.click('#painel-stf summary');
    await enter(page, '#stf-threads', '99');
    expect(await page.evaluate(`document.querySelector('#stf-threads').validity.rangeOverflow`)).toBe(true);
    await page.evaluate(`document.querySelector('#stf-threads').removeAttribute('max')`);
    await enter(page, '#stf-threads', '98');
    await shows(page, '#painel-stf .ajustes .resposta', 'threads: use um número inteiro de 1 a 64.');
  });

  test('writes changes to live.toml', async () => {
    const { page } = await open();
    expect(await page.isDisabled('#gravar')).toBe(true);
    await page.click('#painel-trt3 summary');
    await enter(page, '#trt3-queue_max', '300');
    await expect.poll(() => page.isEnabled('#gravar'), WAIT).toBe(true);
    await page.click('#gravar');
    await page.click('#confirmar-sim');
    await shows(page, '#mudancas-aviso', /^1 ajuste gravado em .*live\.toml\.$/u);
    await shows(page, '#trt3-queue_max-origem', 'live.toml: bases.trt3.queue_max');
  });

  test('warns of a variable that overrides a written setting, and lists each mistake of the file on its own line', async () => {
    const own = await tunedService();
    const { page } = await open(own.adminUrl);
    await page.click('#painel-trt3 summary');
    await enter(page, '#trt3-queue_max', '777');
    await marks(page, 'trt3', 'fila, no máximo 1.500→777');
    await shows(page, '#historico tbody tr', /^\d\d\d\/\d\d/u);
    await page.click('#gravar');
    await expect
      .poll(() => page.locator('#confirmar-linhas').textContent(), WAIT)
      .toContain(
        'bases.trt3.queue_max: de 1.500 para 777. Atenção: a variável BASES_TRT3_QUEUE_MAX vale mais',
      );
    await page.click('#confirmar-sim');
    await shows(page, '#mudancas-aviso', /gravados? em/u);
    expect(await page.getAttribute('#mudancas-aviso', 'class')).toBe('resposta');
    expect(await seriousFaults(page, '#mudancas')).toEqual([]);
    const changes = await page.locator('#historico tbody tr').count();
    await enter(page, '#trt3-queue_max', '778');
    await expect.poll(() => page.locator('#historico tbody tr').count(), WAIT).toBe(changes + 1);
    writeFileSync(join(own.dataDir, 'config.toml'), 'porta = 1\n[bases.stj]\nthreads = 0\n');
    await page.click('#gravar');
    await page.click('#confirmar-sim');
    await expect
      .poll(async () => (await text(page, '#mudancas-aviso')()).split('\n'), WAIT)
      .toEqual([
        expect.stringMatching(/^Os arquivos de ajustes não são válidos/u),
        expect.stringMatching(/^  - config\.toml: there is no setting porta/u),
        expect.stringMatching(/^  - config\.toml: bases\.stj\.threads: must be/u),
      ]);
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('#mudancas-aviso')).whiteSpace`),
    ).toMatch(/^(?:pre-wrap|break-spaces)$/u);
  });

  test('issues a key, shows it once, and revokes it after a confirmation', async () => {
    const { page } = await open();
    await page.fill('#chave-form [name=nome]', 'acme');
    await enter(page, '#chave-form [name=cota]', '50');
    await shows(page, '#chave-nova code', /^jur_[a-z2-7]{38}$/u);
    const key = (await page.textContent('#chave-nova code')) ?? '';
    expect(await seriousFaults(page, '#chaves')).toEqual([]);
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
    await shows(page, '#chave-aviso', 'A chave acme foi revogada.');
    await expect.poll(() => row.textContent(), WAIT).toContain('revogada em');
    await expect.poll(async () => (await search()).status, WAIT).toBe(401);
  });

  test('still shows a new key when the next one is issued, and wraps a long name', async () => {
    const { page } = await open();
    const names = ['nome-longo-'.repeat(6).slice(0, 64), 'segunda'];
    for (const [at, name] of names.entries()) {
      await enter(page, '#chave-form [name=nome]', name);
      await expect.poll(() => page.locator('#chave-nova code').count(), WAIT).toBe(at + 1);
    }
    const [latest, first] = await page.locator('#chave-nova .chave-nova').allTextContents();
    expect(latest).toContain('Chave de segunda.');
    expect(first).toContain(`Chave de ${names[0]}.`);
    await expect.poll(() => page.locator('#chaves-tabela th.nome').count(), WAIT).toBeGreaterThanOrEqual(2);
    const overflow = `(() => {
      const place = document.querySelector('#chaves .rolagem');
      return place.scrollWidth - place.clientWidth;
    })()`;
    expect(await page.evaluate(overflow)).toBe(0);
    await page.locator('#chave-nova button:has-text("Já guardei")').first().click();
    expect(await page.locator('#chave-nova code').count()).toBe(1);
  });

  test('works at an address with a name and a password in it', async () => {
    await open(service.adminUrl.replace('//', '//operador:senha@'));
  });

  test('shows why the service refuses its figures, and goes on when it gives them', async () => {
    const { page } = usual;
    const json = { erro: 'falta o token do administrador' };
    await page.route('**/console/api/serie*', async (route) => route.fulfill({ status: 401, json }));
    await page.goto(`${service.adminUrl}/console`);
    await shows(page, '#faixa-texto', /^Falta o token do administrador\. Esta página tenta de novo/u);
    expect(await page.textContent('#ligacao')).toBe('Sem contato com o serviço');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await shows(page, '#ligacao', /^Ligado/u);
    expect(await page.isVisible('#faixa')).toBe(false);
  });

  test('shows that it is loading until figures arrive', async () => {
    const { page } = usual;
    // Never answered.
    await page.route('**/console/api/**', () => undefined);
    await page.goto(`${service.adminUrl}/console`);
    await shows(page, '#painel-stj .estado', 'carregando…');
    expect(await page.textContent('#painel-stj .vazio')).toBe('carregando…');
    for (const id of ['lentas', 'chaves', 'cobertura'])
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('#${id}-tabela'), '::before').content`),
      ).toBe('"Carregando…"');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('shows a search as a waterfall, and why one is refused', async () => {
    const { page } = await open();
    await enter(page, '#busca-q', '"dano');
    await shows(page, '#busca-resultado', /aspas/u);
    await enter(page, '#busca-q', 'dano moral');
    await expect.poll(() => page.locator('#busca-resultado th.base').allTextContents(), WAIT).toHaveLength(6);
    expect(await page.locator('#busca-resultado div.barra .parte-exec').count()).toBeGreaterThanOrEqual(6);
    await shows(page, '#busca-resultado .resposta', /^20 itens em [\d,.]+ ms\.$/u);
    expect(await page.textContent('#busca-resultado caption')).toMatch(/; barras até [\d.,]+ ms$/u);
    expect(await page.locator('#busca-resultado .itens tbody tr').count()).toBe(20);
    expect(await page.textContent('#busca-resultado .itens tbody tr')).toMatch(/^tst:\d+acórdão/u);
  });

  test('searches with filters, and loads the next page', async () => {
    const { page } = await open();
    await page.fill('#busca-q', 'dano');
    await page.fill('#busca-form [name=limite]', '8');
    await page.fill('#busca-form [name=tribunal]', 'stj,stf');
    await page.selectOption('#busca-form [name=tipo]', { label: 'acórdão' });
    await page.press('#busca-q', 'Enter');
    const ids = () => page.locator('#busca-resultado .itens th[scope=row]').allTextContents();
    await expect.poll(ids, WAIT).toHaveLength(8);
    const first = await ids();
    expect(first.every((id) => /^st[jf]:/u.test(id))).toBe(true);
    await page.click('#busca-resultado button:has-text("Próxima página")');
    // The list is empty for a moment.
    await expect.poll(async () => (await ids()).filter((id) => !first.includes(id)), WAIT).toHaveLength(8);
    expect(await ids()).toHaveLength(8);
    expect(await page.inputValue('#busca-form [name=tribunal]')).toBe('stj,stf');
    expect(await page.inputValue('#busca-form [name=cursor]')).not.toBe('');
    expect(await seriousFaults(page, '#busca')).toEqual([]);
  });

  const TIMES = { at_ms: 1, queue_ms: 1, run_ms: 600, count_ms: 2, rows_ms: 3 };
  test('opens a base’s recent slow searches and their waterfalls, by click or by keyboard', async () => {
    const steps = BASES.map((base) => ({ base, kind: 'recentes', outcome: 'ok', ...TIMES }));
    const slow = {
      em: 1_780_000_000,
      request_id: 'a',
      route: 'busca',
      status: 200,
      ms: 700,
      parametros: { ordem: 'recentes' },
      por_base: [],
      bases_sem_resposta: [],
      steps,
    };
    const page = await openGiven({ buscas: () => ({ lenta_ms: 500, buscas: [slow] }) });
    await shows(page, '#lentas-nota', /^De 500 ms ou mais/u);
    await page.focus('#painel-stj .titulo button');
    await page.keyboard.press('Enter');
    await shows(page, '#lentas-nota', /^As que pediram a stj nos 10 s até/u);
    await expect.poll(() => page.locator('#lentas-tabela .cascata th.base').count(), WAIT).toBe(6);
    expect(await page.textContent('#lentas-tabela')).toContain('texto não guardado ordem=recentes');
    expect(await seriousFaults(page, '#lentas')).toEqual([]);
    await page.click('#lentas-todas');
    await shows(page, '#lentas-nota', /^De 500 ms ou mais/u);
    // By the locator, which waits until the chart no longer moves.
    const chart = page.locator('#painel-stf .u-over');
    const { width } = (await chart.boundingBox())!;
    await chart.click({ position: { x: width - 3, y: 20 } });
    await shows(page, '#lentas-nota', /^As que pediram a stf/u);
    await page.mouse.move(0, 0);
    await page.focus('#painel-tjmg .tela');
    await page.keyboard.press('ArrowLeft');
    await shows(page, '#painel-tjmg .leitura', /^\d{2}:\d{2}:\d{2}  p50/u);
    await page.keyboard.press('Enter');
    await shows(page, '#lentas-nota', /^As que pediram a tjmg/u);
  });

  test('lists an incomplete search with its cause, repeats it, and has one line for one that every base rejected', async () => {
    const record = {
      em: 1_780_000_000,
      request_id: 'a',
      route: 'busca',
      status: 200,
      ms: 0.9,
      parametros: { q: 'dano' },
      por_base: [],
      bases_sem_resposta: BASES.map((base) => ({ base, tempo_esgotado: false })),
      steps: [],
    };
    const step = { base: 'tjmg', kind: 'relevancia', at_ms: 0, queue_ms: 1, run_ms: 0 };
    const failed = {
      ...record,
      request_id: 'b',
      ms: 1.2,
      parametros: { q: 'moral', tipo: 'acordao' },
      bases_sem_resposta: [{ base: 'tjmg', tempo_esgotado: false }],
      steps: [{ ...step, count_ms: 0, rows_ms: 0, outcome: 'unavailable' }],
    };
    const buscas = { lenta_ms: 1, buscas: [record, failed] };
    const page = await openGiven({ buscas: () => buscas });
    const rows = page.locator('#lentas-tabela tbody tr');
    await expect.poll(() => rows.locator('.marca').allTextContents(), WAIT).toContain('6 bases: recusada');
    expect(await rows.allTextContents()).toEqual([
      expect.stringContaining('6 bases: recusadadano'),
      expect.stringContaining('tjmg: falhoulentamoral tipo=acordaotjmg, 1,00 ms'),
    ]);
    await page.locator('#lentas-tabela tr:has-text("lenta") button:has-text("Ver")').click();
    await page.setViewportSize({ width: 390, height: 800 });
    // Rows of the list are blocks on a phone, and the waterfall’s rows in it are not.
    const display = `getComputedStyle(document.querySelector('#lentas-tabela .cascata tbody tr')).display`;
    expect(await page.evaluate(display)).toBe('table-row');
    await page.click('#lentas-tabela button:has-text("Repetir por dentro")');
    await shows(page, '#busca-resultado .resposta', /^20 itens em/u);
    expect(await page.inputValue('#busca-q')).toBe('moral');
    expect(await page.inputValue('#busca-form [name=tipo]')).toBe('acordao');
  });

  const KEY = {
    nome: 'a',
    emitida_em: '2026-01-01T00:00:00Z',
    revogada_em: null,
    cota: 10,
    cota_propria: false,
    usadas_hoje: 1,
    restam: 9,
    renova_em_s: 60,
    por_s: 2,
    recusas_por_s: 0,
  };
  test('shows the keys by rate, what is left of each quota, and the decisions of each base', async () => {
    const chaves = [{ ...KEY, nome: 'teste', cota: 4, usadas_hoje: 4, restam: 0, recusas_por_s: 1 }];
    const page = await openGiven({
      chaves: () => ({ chaves, danificadas: [] }),
      buscas: () => ({ lenta_ms: 500, buscas: [] }),
    });
    await shows(page, '#chaves-tabela tbody tr', /^teste2,001,0004 do serviço/u);
    expect(await page.textContent('#chaves-nota')).toBe('A cota começa de novo em 1 min, à meia-noite UTC.');
    expect(await page.textContent('#lentas-tabela')).toContain('Nenhuma desde que o serviço iniciou.');
    await shows(
      page,
      '#painel-stj .dados',
      /^30\sdecisões · [\d,]+\s[kM]B · carregada\shá\s\d+\s(?:s|min) · dados\snº\s\d+$/u,
    );
    expect(await page.textContent('#ligacao')).toMatch(/^Ligado; versão \d+\.\d+\.\d+, no ar desde/u);
  });

  test('links to the other pages of the service, which link back', async () => {
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
    await shows(page, '#ligacao', /^Ligado/u);
  });

  test('shows when a base is down, and when it is back', async () => {
    const { page } = await open();
    const file = baseFile(service.dataDir, 'stf');
    renameSync(file, `${file}.away`);
    const search = () => service.busca({ q: 'dano' });
    await expect.poll(async () => (await search()).body.bases_sem_resposta.length, WAIT).toBe(1);
    await shows(page, '#painel-stf .estado', 'fora do ar');
    expect(await page.textContent('#painel-stf .motivo')).toBe(`o arquivo da base não está lá: ${file}`);
    expect(await page.textContent('#painel-stj .estado')).toBe('no ar');
    expect(await page.textContent('#alerta')).toBe('stf fora do ar');
    expect(await page.title()).toBe('■ stf fora do ar – Console da busca de jurisprudência');
    expect(await page.getAttribute('#icone', 'href')).toBe('/console/icon-down.svg');
    await enter(page, '#busca-q', 'dano');
    await shows(page, '#busca-resultado .resposta', /Sem resposta: stf \(falhou/u);
    expect(await seriousFaults(page, '#painel-stf')).toEqual([]);
    expect(await seriousFaults(page, 'header')).toEqual([]);
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
      page.evaluate<string[]>(`import('/console/state.ts').then(async ({ page }) => {
        const { showAlert } = await import('/console/alert.ts');
        Object.assign(page.series.servico, ${JSON.stringify(figures)});
        showAlert();
        const { hidden, dataset, textContent } = document.querySelector('#alerta');
        return [hidden, dataset.marca, textContent, document.title, document.querySelector('#icone').getAttribute('href')].map(String);
      })`);
    const problems = '99 buscas incompletas de 200 em 10 s, 12 respostas 5xx em 10 s';
    expect(await shown({ buscas: 200, completas: 101, erros_5xx: 12, segundos: 10 })).toEqual([
      'false',
      'aviso',
      problems,
      `▲ ${problems} – Console da busca de jurisprudência`,
      '/console/icon-warning.svg',
    ]);
    const [isHidden] = await shown({ buscas: 200, completas: 200, erros_5xx: 0, segundos: 10 });
    expect(isHidden).toBe('true');
  });

  test('shows the free space of the data’s disk, and warns when it is full', async () => {
    let freeBytes = 40e9;
    const page = await openGiven({ serie: () => ({ disco: { freeBytes, bytes: 200e9 } }) });
    await shows(page, '#disco', 'Disco dos dados: 40,0 GB livres de 200 GB');
    expect(await page.getAttribute('#disco', 'data-marca')).toBe('');
    freeBytes = 1e9;
    await page.clock.fastForward(1_000);
    await expect.poll(() => page.getAttribute('#disco', 'data-marca'), WAIT).toBe('aviso');
    expect(await page.isVisible('#alerta')).toBe(false);
    freeBytes = 0;
    await page.clock.fastForward(1_000);
    await shows(page, '#alerta:not([hidden])', 'disco cheio');
    expect(await page.title()).toMatch(/^■ disco cheio – /u);
    expect(await seriousFaults(page, '#bases > .cabeca')).toEqual([]);
    freeBytes = 40e9;
    await page.clock.fastForward(1_000);
    await expect.poll(() => page.isVisible('#alerta'), WAIT).toBe(false);
  });

  test('keeps the focus and unfinished input while figures arrive and keys change places', async () => {
    const key = (nome: string, por_s: number) => ({ ...KEY, nome, por_s });
    let chaves = [key('a', 2), key('b', 1)];
    const page = await openGiven({ chaves: () => ({ chaves, danificadas: [] }) });
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

  test('marks made-up decisions, shows when the service is gone, reconnects, and keeps its history', async () => {
    const ADMIN_PORT = String(ownPort());
    const own = await startService({ stj: [...demoLines('stj', 3, 7)] }, { ADMIN_PORT });
    const config = configIn(own.dataDir, { ADMIN_PORT });
    const real = await open();
    expect(await real.page.locator('#demonstracao:not([hidden])').count()).toBe(0);
    const { page } = await open(own.adminUrl);
    await shows(page, '#demonstracao:not([hidden])', /as decisões de stj são fictícias/u);
    // A word that is there: for another one, bases would be asked for near words too.
    await own.busca({ q: 'de' });
    await shows(page, '#painel-stj .contagens .conta', '1');
    await page.check('input[value=vazao]', { force: true });
    const known = 'em 5 min: 1 à base';
    await shows(page, '#painel-stj .leitura', known);
    await page.click('#painel-stj summary');
    await enter(page, '#stj-count_ms', '77');
    await shows(page, '#stj-count_ms-origem', /^mudado aqui/u);
    await page.click('#ajustes-do-servico summary');
    await enter(page, '#servico-expensive_at_once', '3');
    await shows(page, '#ajustes-do-servico .resposta', /de 64 para 3\.$/u);
    let second: System | undefined;
    await own.stop();
    try {
      await shows(page, '#faixa-texto', /^O serviço não responde desde/u);
      expect(await page.textContent('#painel-stj .estado')).toBe('sem contato');
      await enter(page, '#stj-threads', '3');
      await shows(page, '#painel-stj .ajustes .resposta', /não está ao alcance/u);
      expect(await seriousFaults(page)).toEqual([]);
      second = startSystem(config, createLog('silent').log);
      await shows(page, '#faixa-texto', /^O serviço reiniciou às/u);
      expect(await page.textContent('#painel-stj .ajustes .resposta')).toBe('');
      await shows(page, '#painel-stj .estado', 'no ar');
      // What was not written is as it was before, and what the page had seen is still there.
      await expect.poll(() => page.inputValue('#stj-count_ms'), WAIT).toBe(AMPLE_WINDOWS.BASES_COUNT_MS);
      expect(await page.textContent('#painel-stj .leitura')).toBe(known);
      await page.click('#faixa-fechar');
      expect(await page.isVisible('#faixa')).toBe(false);
    } finally {
      await second?.stop();
    }
  });

  test('has gaps in its charts where seconds are missing, and a point for a single second', async () => {
    const { page } = await open();
    const made = await page.evaluate<unknown>(`(async () => {
      const { columns, lonely } = await import('/console/points.ts');
      const { METRICS } = await import('/console/metrics.ts');
      const of = (em, uso) => ({ em, uso });
      const uso = METRICS.find(({ id }) => id === 'uso');
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

  test('fits any figure into its panel at the narrowest width', async () => {
    // Three panels side by side have just enough room.
    const { page } = await open();
    await page.setViewportSize({ width: 1_210, height: 800 });
    const over = await page.evaluate<number>(`(() => {
      const panel = document.querySelector('#painel-stj .numeros');
      for (const place of panel.querySelectorAll('.percentis tbody span')) place.textContent = '12.345';
      const [rate, use] = panel.querySelectorAll('.medidores dd');
      rate.textContent = '12.345 /s';
      use.textContent = '100%';
      for (const place of panel.querySelectorAll('.idade span')) place.textContent = 'há 59 min';
      for (const place of panel.querySelectorAll('.conta')) place.textContent = '99';
      const right = (element) => element.getBoundingClientRect().right;
      return Math.max(...[...panel.querySelectorAll('*')].map(right)) - right(panel);
    })()`);
    expect(over).toBeLessThanOrEqual(0);
  });

  test('highlights a recent failure with its age, and no old one', async () => {
    const { page } = await open();
    const shown = await page.evaluate<unknown>(`(async () => {
      const { counts } = await import('/console/base-panel.ts');
      const { show } = await import('/console/html.ts');
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

  test('marks a base without requests, and compares bases by the chosen figure', async () => {
    const { page } = await open();
    await page.check('input[value=falhas]', { force: true });
    await shows(page, '#painel-eproc .vazio', 'nenhuma no período');
    expect(await page.isVisible('#painel-eproc .vazio')).toBe(true);
    for (const id of ['fila', 'vazao', 'uso']) {
      await page.check(`input[value=${id}]`, { force: true });
      expect(await page.locator('#paineis canvas:visible').count()).toBeGreaterThanOrEqual(6);
    }
  });
});
