import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAdminApp } from '../../src/admin/app.ts';
import { consoleNodesPart } from '../../src/cluster/console-nodes.ts';
import { VERSION, type Beat } from '../../src/cluster/messages.ts';
import { heartbeatSubject } from '../../src/cluster/subjects.ts';
import { type Base, BASES } from '../../src/contract/vocabulary.ts';
import { baseFile, basesFolder } from '../../src/index/format/schema.ts';
import { mergedStatus } from '../../src/processes/merged-status.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { adminApi } from '../admin/support-api.ts';
import { hasChromium, openBrowser, openPage, seriousFaults } from '../support/chromium.ts';
import { WAIT, bePatient } from '../support/patience.ts';
import { servedInTest } from '../support/served.ts';
import { loadLines } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { expectNoUnhandledRejection } from '../tools/faults/support-poll.ts';
import { LocalBroker } from './local-bus.ts';
import { hasNatsServer } from './nats-server.ts';
import { frontOn } from './small-cluster.ts';
import { WholeCluster } from './whole-cluster.ts';

/** After so long the page asks for the bases and their disk again. */
const ASKED_AGAIN_MS = 3_000;

bePatient();
expectNoUnhandledRejection();

function beat(generation: number, more: { down?: boolean; late?: boolean } = {}): Beat {
  const state = more.down === true ? 'down' : 'up';
  const status = { ...mergedStatus([]), state, threads: 4, threads_busy: 1, waiting: 7, generation } as const;
  return { status, late: more.late === true };
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly ligado: boolean;
    readonly segundas_consultas: number;
    readonly nos: readonly Readonly<Record<string, unknown>>[];
    readonly bases?: readonly Base[];
    readonly erro?: string;
  };
}

/** The console's API of a front, to which nodes are what their heartbeats say. */
async function small() {
  const broker = new LocalBroker();
  const clock = new SimulatedClock();
  const bus = broker.join('f');
  const front = frontOn(bus, clock);
  onTestFinished(() => {
    front.close();
  });
  const part = consoleNodesPart({
    nodes: front.nodes,
    hedges: front.hedges,
    clock,
    isConnected: () => bus.isConnected,
    shown: (base) => (base === 'stf' ? 9 : 0),
    log: { info: () => undefined },
  });
  const app = createAdminApp({
    host: '127.0.0.1',
    token: '',
    parts: [part],
    log: { error: () => undefined },
  });
  const ask = async (path: string, body?: unknown): Promise<Answer> => {
    const init = body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) };
    const response = await app.handle(
      new Request(`http://127.0.0.1/console/api/${path}`, { ...init, headers: { host: '127.0.0.1' } }),
    );
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const say = async (node: string, bases: Partial<Record<Base, Beat>>, stopping = false) => {
    broker.join(node).publish(heartbeatSubject(node), JSON.stringify({ v: VERSION, stopping, bases }));
    await clock.advance(0);
  };
  const node = async (name: string) => (await ask('nos')).body.nos.find(({ nome }) => nome === name) ?? {};
  return { bus, clock, front, ask, say, node };
}

describe('the nodes in the API of a console', () => {
  test('are listed with what each says of its bases, how long ago, and whether newer data are known', async () => {
    const { clock, front, ask, say, node } = await small();
    await say('n2', { stj: beat(5), stf: beat(8) });
    await clock.advance(1_500);
    await say('n1', { stj: beat(4, { late: true }) });
    const { status, body } = await ask('nos');
    expect(status).toBe(200);
    expect(body).toMatchObject({ ligado: true, segundas_consultas: 0 });
    expect(body.nos.map(({ nome }) => nome)).toEqual(['n1', 'n2']);
    expect(body.nos[0]).toEqual({
      nome: 'n1',
      estado: 'no_ar',
      fora: false,
      ha_s: 0,
      ouvido_ha_s: 0,
      em_espera: 0,
      perdidos: 0,
      bases: [
        {
          base: 'stj',
          estado: 'no_ar',
          versao_dos_dados: 4,
          mais_nova: 5,
          threads: 4,
          em_execucao: 1,
          na_fila: 7,
          congestionada: true,
        },
      ],
    });
    // Published, and on no node yet.
    expect((await node('n2'))['bases']).toMatchObject([
      { base: 'stf', versao_dos_dados: 8, mais_nova: 9 },
      { base: 'stj', versao_dos_dados: 5, mais_nova: 5 },
    ]);
    expect(await node('n2')).toMatchObject({ ha_s: 1.5, ouvido_ha_s: 1.5 });
    for (let at = 0; at < 3; at += 1) front.nodes.noteLost('n1');
    front.hedges.take();
    expect(await node('n1')).toMatchObject({ perdidos: 3 });
    expect((await ask('nos')).body.segundas_consultas).toBe(1);
    await clock.advance(4_000);
    await say('n2', { stj: beat(5) }, true);
    expect(await node('n1')).toMatchObject({ estado: 'sumiu', ouvido_ha_s: 4 });
    expect(await node('n2')).toMatchObject({ estado: 'encerrou', ouvido_ha_s: 0 });
  });

  test('were last heard when they last spoke, also after the front itself was cut off', async () => {
    const { bus, clock, say, ask, node } = await small();
    await say('n1', { stj: beat(1) });
    bus.isConnected = false;
    await clock.advance(60_000);
    expect((await ask('nos')).body.ligado).toBe(false);
    bus.isConnected = true;
    expect((await node('n1'))['ouvido_ha_s']).toBe(60);
  });

  test('are taken out and put back; the last that answers for a base only once that is confirmed', async () => {
    const { front, ask, say, node } = await small();
    await say('n1', { stj: beat(1), stf: beat(1), tst: beat(1) });
    await say('n2', { stj: beat(1), stf: beat(1, { down: true }) });
    const refused = await ask('nos/n1', { fora: true });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      risco: 'nenhum outro nó responde: sem n1, as bases tst, stf ficariam sem resposta',
      bases: ['tst', 'stf'],
    });
    expect(refused.body.erro).toContain('{"fora": true, "confirmado": true}');
    expect((await node('n1'))['fora']).toBe(false);
    expect((await ask('nos/n2', { fora: true })).status).toBe(200);
    expect((await ask('nos/n1', { fora: true })).body.bases).toEqual(['tst', 'stf', 'stj']);
    expect(front.base('stj').status().state).toBe('up');
    expect((await ask('nos/n1', { fora: true, confirmado: true })).status).toBe(200);
    expect(front.base('stj').status()).toMatchObject({
      state: 'down',
      detail: 'all nodes with the base were taken out',
    });
    // It is out: nothing more is lost.
    expect((await ask('nos/n1', { fora: true })).status).toBe(200);
    const back = await ask('nos/n1', { fora: false });
    expect(back.body.nos[0]).toMatchObject({ nome: 'n1', fora: false });
    expect(front.base('stj').status().state).toBe('up');
    expect((await ask('nos/n3', { fora: true })).status).toBe(404);
    expect((await ask('nos/n1', { fora: 1 })).status).toBe(400);
  });

  test('leave a base down that none of them has, once all have had the time to say so', async () => {
    const { clock, front, say } = await small();
    await say('n1', { stj: beat(1) });
    expect(front.base('tst').status().state).toBe('unknown');
    await clock.advance(3_000);
    expect(front.base('tst').status()).toMatchObject({ state: 'down', detail: 'no node has the base' });
  });
});

/** Six bases on each node, with everything that a row can say. */
function crowd() {
  const bases = (behind: boolean) =>
    BASES.map((base, at) => ({
      base,
      estado: behind && at === 2 ? 'fora' : 'no_ar',
      versao_dos_dados: behind ? 123_400 : 123_456,
      mais_nova: 123_456,
      threads: 64,
      em_execucao: 64,
      na_fila: 12_345,
      congestionada: behind,
    }));
  const node = {
    fora: false,
    estado: 'no_ar',
    ha_s: 90_000,
    ouvido_ha_s: 0.4,
    em_espera: 12_345,
    perdidos: 0,
  };
  return {
    ligado: true,
    segundas_consultas: 123_456,
    nos: [
      { ...node, nome: 'n1', bases: bases(false) },
      { ...node, nome: 'n2', perdidos: 3, bases: bases(true) },
      { ...node, nome: 'n3', fora: true, bases: bases(false) },
      {
        ...node,
        nome: 'nome-longo-'.repeat(6).slice(0, 63),
        estado: 'sumiu',
        ouvido_ha_s: 90_000,
        bases: [],
      },
    ],
  };
}

describe.skipIf(!hasNatsServer() || !hasChromium())('the nodes on the page of a front', () => {
  let browser: Browser;
  let cluster: WholeCluster;
  beforeAll(async () => {
    browser = await openBrowser();
    cluster = await WholeCluster.start();
    loadLines(cluster.publisherDir, 'stj', [...demoLines('stj', 30, DEMO_SEED_DEFAULT)]);
    await cluster.publishEverywhere();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.stop();
  });
  const text = (page: Page, selector: string) => async () => (await page.textContent(selector)) ?? '';
  /** What has the focus, which follows what is drawn. */
  const focused = (page: Page, name: 'ariaLabel' | 'value') => () =>
    page.evaluate<string>(`document.activeElement.${name}`);
  const open = async (adminUrl: string) => {
    const opened = await openPage(browser, `${adminUrl}/console`, { scheme: 'light', width: 1_440 });
    onTestFinished(() => opened.close());
    await expect.poll(text(opened.page, '#ligacao'), WAIT).toMatch(/^Ligado/u);
    return opened;
  };

  test('are taken out by keyboard, the last one after a question, and a base without one is named in the header', async () => {
    const { page, said } = await open(cluster.front(0).adminUrl);
    await expect.poll(() => page.locator('#nos-tabela > tbody > tr').count(), WAIT).toBe(2);
    expect(await page.textContent('#nos-tabela > tbody > tr')).toMatch(/^n1no ar há \d+ \S+.*stj/u);
    expect(await page.locator('nav a[href="#nos"]').count()).toBe(1);
    await expect.poll(text(page, '#painel-stj .estado'), WAIT).toBe('no ar');
    await page.focus('[data-no=n1]');
    await page.keyboard.press('Enter');
    await expect.poll(text(page, '#nos-aviso'), WAIT).toBe('O nó n1 foi retirado deste front.');
    await expect.poll(focused(page, 'ariaLabel'), WAIT).toBe('Pôr de volta o nó n1');
    await page.focus('[data-no=n2]');
    await page.keyboard.press('Enter');
    await expect
      .poll(text(page, '#confirmar[open] #confirmar-texto'), WAIT)
      .toBe('Nenhum outro nó responde: sem n2, a base stj ficaria sem resposta. Retirar n2 mesmo assim?');
    await expect.poll(focused(page, 'value'), WAIT).toBe('nao');
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(text(page, '#nos-aviso'), WAIT).toBe('Nada mudou.');
    await expect.poll(focused(page, 'ariaLabel'), WAIT).toBe('Retirar o nó n2');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#confirmar[open]').count(), WAIT).toBe(1);
    await page.click('#confirmar-sim');
    await expect.poll(text(page, '#painel-stj .estado'), WAIT).toBe('fora do ar');
    expect(await page.textContent('#painel-stj .motivo')).toBe('os nós que têm esta base foram retirados');
    expect(await page.textContent('#painel-tst .motivo')).toBe('nenhum nó tem esta base');
    expect(await page.textContent('#alerta')).toBe('6 bases fora do ar');
    for (const name of ['n1', 'n2']) {
      await page.focus(`[data-no=${name}]`);
      await page.keyboard.press('Enter');
      await expect.poll(text(page, '#nos-aviso'), WAIT).toBe(`O nó ${name} voltou a este front.`);
    }
    await expect.poll(text(page, '#painel-stj .estado'), WAIT).toBe('no ar');
    // The answer that asked for a confirmation.
    expect(said.filter((one) => !one.includes('409'))).toEqual([]);
  });

  test('have the files of the bases: what lies in the folder of the front is not theirs, nor is its disk', async () => {
    const folder = join(cluster.folder, 'f1');
    mkdirSync(basesFolder(folder), { recursive: true });
    writeFileSync(baseFile(folder, 'stj'), 'of another time');
    const { bases, nos_nos } = (await adminApi(cluster.front(0))('GET', 'bases')).body;
    expect(nos_nos).toBe(true);
    for (const base of bases) expect(base).toMatchObject({ bytes: null, carregada_em: null });
    const { page } = await open(cluster.front(0).adminUrl);
    await expect.poll(text(page, '#painel-stj .dados'), WAIT).toMatch(/^(?:\d+\sdecis\S+ · )?nos\snós/u);
    expect(await page.textContent('#disco')).toMatch(/^Disco deste front, sem as bases: /u);
  });

  test('fit in narrow and wide windows with all that they can say', async () => {
    const { page } = await openPage(browser, 'about:blank', { scheme: 'light', width: 390 });
    onTestFinished(() => page.context().close());
    await page.route('**/console/api/nos', (route) => route.fulfill({ json: crowd() }));
    await page.goto(`${cluster.front(0).adminUrl}/console`);
    await expect.poll(() => page.locator('#nos-tabela > tbody > tr').count(), WAIT).toBe(4);
    const rows = await page.locator('#nos-tabela > tbody > tr').allTextContents();
    expect(rows[0]).not.toContain('atrás');
    expect(rows[1]).toContain('atrás do nº 123.456congestionada');
    expect(rows[2]).toContain('retirado');
    expect(rows[3]).toContain('sem sinal há 1 d');
    const place = `(() => {
      const place = document.querySelector('#nos .rolagem');
      return [place.scrollWidth - place.clientWidth, place.dataset.rola ?? ''];
    })()`;
    for (const width of [390, 760, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const agrees = ([over, state]: readonly [number, string]) =>
        over <= 1 || (width > 390 && state === 'continua');
      await expect.poll(async () => agrees(await page.evaluate<[number, string]>(place)), WAIT).toBe(true);
      if (width === 390) expect(await seriousFaults(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('are neither loaded nor shown where the process is no front', async () => {
    const service = await servedInTest();
    const { page } = await openPage(browser, 'about:blank', { scheme: 'light', width: 1_440 });
    onTestFinished(() => page.context().close());
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.install();
    await page.goto(`${service.adminUrl}/console`);
    await expect.poll(text(page, '#ligacao'), WAIT).toMatch(/^Ligado/u);
    // What follows the files of the bases would have been asked for by the second time.
    for (let at = 0; at < 2; at += 1) {
      const answer = page.waitForResponse('**/console/api/bases');
      await page.clock.fastForward(ASKED_AGAIN_MS);
      await answer;
    }
    expect(await page.textContent('#disco')).toMatch(/^Disco dos dados: /u);
    expect(await page.locator('#nos:visible, a[href="#nos"]:visible').count()).toBe(0);
    expect(asked.filter((address) => /nodes\.js|api\/nos/u.test(address))).toEqual([]);
    expect((await fetch(`${service.adminUrl}/console/api/nos`)).status).toBe(404);
  });
});
