import { Elysia } from 'elysia';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Quota } from '../../shared/quota.ts';
import { KeyRefused, type KeyStore, type StoredKey } from '../../keys/store.ts';
import { LockBusy } from '../../process/lock.ts';
import { adminErro, adminJson, fileFault } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import { isNewKey, readBody } from './body.ts';
import type { KeyRates } from './key-rates.ts';

export interface KeysOptions {
  readonly keyStore: KeyStore;
  readonly clock: Clock;
  readonly quota: Quota;
  readonly quotaPerDay: number;
  readonly figures: { readonly keys: Pick<KeyRates, 'of'> };
  /** Gets a line with the name of every issued or revoked key. */
  readonly log: Pick<Logger, 'info'>;
}

export function keysRoutes(options: KeysOptions): AdminPart {
  return new Elysia()
    .get('/console/api/chaves', () => attempt(() => list(options)))
    .post('/console/api/chaves', ({ request }) => attempt(() => issue(request, options)), { parse: 'none' })
    .post('/console/api/chaves/:nome/revogar', ({ params: { nome } }) =>
      attempt(() => revoke(nome, options)),
    );
}

async function list(options: KeysOptions): Promise<Response> {
  const { keys, damaged } = options.keyStore.list();
  const chaves = await Promise.all(keys.map((key) => describe(key, options)));
  return adminJson(200, { chaves, danificadas: damaged.map(({ file }) => basename(file)) });
}

/** A key as the console shows it. Leaves out the digest, which quotas are counted by. */
export type KeyReport = Awaited<ReturnType<typeof describe>>;

async function describe(key: StoredKey, { quota, quotaPerDay, figures }: KeysOptions) {
  const cota = key.quota_per_day ?? quotaPerDay;
  const { remaining, resetSeconds } = await quota.peek(key.sha256, cota);
  return {
    nome: key.name,
    emitida_em: key.issued_at,
    revogada_em: key.revoked_at,
    cota,
    cota_propria: key.quota_per_day !== null,
    usadas_hoje: cota - remaining,
    restam: remaining,
    renova_em_s: resetSeconds,
    ...figures.keys.of(key.sha256),
  };
}

async function issue(request: Request, { keyStore, clock, log }: KeysOptions): Promise<Response> {
  const body = await readBody(request, isNewKey, '{"nome": "acme", "cota": null}');
  if (body instanceof Response) return body;
  const { nome, cota } = body;
  const chave = await keyStore.issue(nome, cota, clock.date());
  log.info({ name: nome, quota_per_day: cota }, 'console: key issued');
  return adminJson(201, { nome, chave });
}

async function revoke(nome: string, { keyStore, clock, log }: KeysOptions): Promise<Response> {
  const isRevokedNow = await keyStore.revoke(nome, clock.date());
  if (!isRevokedNow) return adminErro(409, `a chave ${nome} já foi revogada`);
  log.info({ name: nome }, 'console: key revoked');
  return adminJson(200, { nome });
}

/** Turns an error of the store into an answer: a refusal, a busy lock, or a disk fault. */
async function attempt(work: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KeyRefused) {
      const [status, erro] = REFUSALS[error.why];
      return adminErro(status, erro);
    }
    if (error instanceof LockBusy)
      return adminErro(503, 'outro comando está mudando as chaves; espere e repita');
    return fileFault('a pasta das chaves não pôde ser lida ou gravada', error);
  }
}

const REFUSALS: Readonly<Record<KeyRefused['why'], readonly [status: number, erro: string]>> = {
  'bad name': [
    400,
    'nome: use de 1 a 64 letras sem acento, dígitos, ponto, hífen ou sublinhado, e comece por letra ou dígito; uma chave não serve de nome',
  ],
  'in force': [409, 'já há uma chave em vigor com este nome; revogue-a antes ou use outro nome'],
  unknown: [404, 'não há chave com este nome; escolha uma da lista'],
};
