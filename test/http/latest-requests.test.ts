import { describe, expect, test } from 'vitest';
import type { Base } from '../../src/contract/vocabulary.ts';
import type { Step } from '../../src/engine/steps.ts';
import { LatestRequests, REQUESTS_KEPT_MAX, REQUESTS_SHOWN_MAX } from '../../src/http/latest-requests.ts';
import type { RequestNotes } from '../../src/http/observer.ts';
import { LOG_LINES_MAX, RequestLog } from '../../src/http/request-log.ts';
import type { Pedido } from '../../src/query/parameters.ts';
import { capturedLog } from '../support/captured-log.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { notesOf, pageOf, stepOf } from '../observe/support-notes.ts';

const KEY = `jur_${'a'.repeat(38)}`;
const TEXT = 'dano moral';
const PEDIDO = { q: TEXT, ordem: 'relevancia', limite: 20, consulta: { leitura: TEXT } } as Pedido;

const step = (base: Base, runMs: number): Step => stepOf({ base, startedAt: 10, queueMs: 0, runMs });
const page = (unanswered: readonly Base[] = []) =>
  pageOf({
    itens: ['{}'],
    bases_sem_resposta: unanswered.map((base) => ({ base, tempo_esgotado: false })),
  });

/** The requests in the list and in the log, for a value of SLOW_MS. */
function start(slowMs: number) {
  const clock = new SimulatedClock();
  const latest = new LatestRequests();
  const { lines, log } = capturedLog('info');
  const requests = new RequestLog({ log, clock, slowMs, latest });
  const see = (notes: Partial<RequestNotes>, ms = 10, status = 200, q = 'dano+moral') => {
    requests.observe({
      notes: notesOf({ pedido: PEDIDO, page: page(), steps: [step('stj', 5)], ...notes }),
      status,
      ms,
      em: Date.now() / 1_000,
      request: new Request(`http://x/b?q=${q}&tipo=sumula`, {
        headers: { traceparent: `00-${'7'.repeat(32)}-${'1'.repeat(16)}-01` },
      }),
      traceId: null,
    });
  };
  return { clock, latest, lines, see };
}

describe('the listed requests', () => {
  test('are the slow and failed ones of the log and searches that lack a base, with the steps of every base', () => {
    const { latest, lines, see } = start(500);
    see({ requestId: 'quick' });
    see({ requestId: 'slow' }, 500);
    see({ requestId: 'incomplete', page: page(['stf']) });
    see({ requestId: 'failed', route: 'decisao', pedido: null, page: null }, 10, 504);
    see({ requestId: 'gone', isAbandoned: true }, 900);
    see({ requestId: 'no base', pedido: null, page: null, steps: [] }, 900, 429);
    const ids = latest.listed.map(({ request_id }) => request_id);
    expect(ids.toSorted()).toEqual(['failed', 'incomplete', 'slow']);
    const listed = (id: string) => latest.listed.find(({ request_id }) => request_id === id);
    expect(lines.map(({ request_id, steps }) => [request_id, steps])).toEqual([
      ['slow', listed('slow')?.steps],
      ['failed', listed('failed')?.steps],
      ['no base', []],
    ]);
    expect(listed('slow')).toMatchObject({
      route: 'busca',
      ms: 500,
      trace_id: '7'.repeat(32),
      itens: 1,
      parametros: { q: TEXT, tipo: 'sumula' },
      steps: [{ base: 'stj', at_ms: 10, run_ms: 5, outcome: 'ok' }],
    });
    expect(lines[0]).toMatchObject({ trace_id: '7'.repeat(32), q: TEXT, leitura: TEXT });
  });

  test('have their text only where the log has it, and never a key', () => {
    const { latest, lines, see } = start(500);
    see({ pedido: { ...PEDIDO, q: `dano ${KEY}` } }, 900, 200, `dano+${KEY}`);
    see({ page: page(['stf']) });
    expect(latest.listed.map(({ parametros }) => parametros['q'])).toContain(undefined);
    expect(JSON.stringify([latest.listed, lines])).not.toContain(KEY);
    const hidden = start(0);
    hidden.see({}, 60_000);
    hidden.see({ page: page(['stf']) });
    hidden.see({ page: null }, 10, 500);
    expect(hidden.latest.listed).toHaveLength(2);
    expect(JSON.stringify([hidden.latest.listed, hidden.lines])).not.toContain('dano');
  });

  test('are bounded per second and in number, slow ones separately from those that lack a base', async () => {
    const { clock, latest, see } = start(500);
    see({ requestId: 'slow' }, 900);
    for (let second = 0; second < REQUESTS_KEPT_MAX; second += 1) {
      for (let at = 0; at < 3 * LOG_LINES_MAX; at += 1) see({ page: page(['stf']) });
      await clock.advance(1_000);
    }
    expect(latest.version).toBe(REQUESTS_KEPT_MAX * LOG_LINES_MAX + 1);
    expect(latest.listed).toHaveLength(REQUESTS_SHOWN_MAX + 1);
    expect(latest.listed.map(({ request_id }) => request_id)).toContain('slow');
    expect(latest.around('stj', Date.now() / 1_000).length).toBeLessThanOrEqual(REQUESTS_KEPT_MAX);
  });

  test('for one second and base are those that reached that base then, the slowest there first', () => {
    const { latest, see } = start(500);
    see({ steps: [step('stj', 20), step('stf', 1)] }, 900);
    see({ steps: [step('stj', 30), step('stf', 2)] }, 900);
    see({ steps: [step('stf', 70)] }, 900);
    const [one] = latest.listed;
    const times = (base: Base, em = one!.em) =>
      latest.around(base, em).map(({ steps }) => steps.find((ask) => ask.base === base)?.run_ms);
    expect(times('stj')).toEqual([30, 20]);
    expect(times('stf')).toEqual([70, 2, 1]);
    expect(times('tst')).toEqual([]);
    expect([times('stj', one!.em - 60), times('stj', one!.em + 60)]).toEqual([[], []]);
  });
});
