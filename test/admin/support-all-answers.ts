import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseActor } from '../../src/engine/base-actor.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { issueKey } from '../../src/keys/store.ts';
import { until } from '../tools/faults/support-poll.ts';
import { acordao } from '../http/checks.ts';
import { inEachBase } from '../support/service.ts';
import { preparedFolder, startIn } from '../http/folder.ts';
import { metricsOf, type Exposition } from './support-metrics.ts';

/** A base whose coverage was calculated, as it is stored. */
export const COVERED = {
  base: 'tst',
  calculado: true,
  total: 1,
  periodo_do_julgamento: { de: null, ate: null },
  periodo_da_publicacao: { de: null, ate: null },
  tipos: ['acordao'],
  calculado_em: '2026-01-02T03:04:05.000Z',
};

/** A followed file, as the service sees it. */
const FOLLOWED = {
  state: 'current',
  published: '1-0a',
  file: `tst-1-${'0a'.repeat(32)}.db`,
  published_at: '2026-01-02T03:04:05.000Z',
  fault: null,
  failures: 0,
} as const;

/** What a service tells Prometheus once it has given each kind of answer that can be had by asking. */
export async function metricsAfterAllAnswers(): Promise<Exposition> {
  const dataDir = preparedFolder(inEachBase([acordao('Dano moral')]));
  const key = issueKey(dataDir, 'teste', null, new Date());
  writeFileSync(join(dataDir, 'cobertura.json'), JSON.stringify({ versao: 1, bases: [COVERED] }));
  mkdirSync(join(dataDir, 'sync'));
  writeFileSync(join(dataDir, 'sync/stj.json'), JSON.stringify({ latest: '2026-06-30', files: {} }));
  renameSync(baseFile(dataDir, 'stj'), `${baseFile(dataDir, 'stj')}.old`);
  const files = {
    actor: (options: ConstructorParameters<typeof BaseActor>[0]) => new BaseActor(options),
    start: () => undefined,
    states: () => ({ tst: FOLLOWED }),
    close: () => Promise.resolve(),
  };
  const system = startIn(dataDir, { BASES_THREADS: '1', QUOTA_PER_DAY: '9' }, { files });
  const get = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const response = await fetch(`${system.url}/v1/jurisprudencia/${path}`, { ...init, headers });
    await response.body?.cancel();
    return response.status;
  };
  const paths = 'busca?q=dano busca?q=dano&ordem=recentes busca tst:1 tst:9 stj:1 cobertura';
  for (const path of [...paths.split(' '), '']) await get(path);
  await get('busca?q=dano', { headers: { authorization: 'Bearer x' } });
  await get('tst:1', { method: 'POST' });
  await until('the quota was used up', async () => (await get('tst:1')) === 429);
  await until('the event loop was watched', async () =>
    (await metricsOf(system.adminUrl)).names.has('jurisprudencia_event_loop_delay_seconds_bucket'),
  );
  const metrics = await metricsOf(system.adminUrl);
  await system.stop();
  return metrics;
}
