import { Elysia } from 'elysia';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../engine/clock.ts';
import type { QuotaActor } from '../../search/quota.ts';
import { issueKey, KEY_NAME, readKeys, revokeKey, type StoredKey } from '../../keys/store.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import { isNovaChave, readBody } from './body.ts';

export interface KeysOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly quota: QuotaActor;
  readonly quotaPerDay: number;
  /** Told of each key issued or revoked by its name. */
  readonly log: Pick<Logger, 'info'>;
}

const BAD_NAME =
  'nome: use de 1 a 64 letras sem acento, dígitos, ponto, hífen ou sublinhado, e comece por letra ou dígito';

/** Keys: those there are with what they used today, a new one, and the end of one. */
export function keysRoutes(options: KeysOptions): AdminPart {
  return new Elysia()
    .get('/console/api/chaves', () => attempt(() => list(options)))
    .post('/console/api/chaves', ({ request }) => attempt(() => issue(request, options)), { parse: 'none' })
    .post('/console/api/chaves/:nome/revogar', ({ params: { nome } }) =>
      attempt(() => revoke(nome, options)),
    );
}

async function list(options: KeysOptions): Promise<Response> {
  const { keys, damaged } = readKeys(options.dataDir);
  const chaves = await Promise.all(keys.map((key) => describe(key, options)));
  return adminJson(200, { chaves, danificadas: damaged.map(({ file }) => basename(file)) });
}

/** The digest is what the quota is counted under; it stays here. */
async function describe(key: StoredKey, { quota, quotaPerDay }: KeysOptions): Promise<object> {
  const cota = key.quota_per_day ?? quotaPerDay;
  const { remaining } = await quota.peek(key.sha256, cota);
  return {
    nome: key.name,
    emitida_em: key.issued_at,
    revogada_em: key.revoked_at,
    cota,
    cota_propria: key.quota_per_day !== null,
    usadas_hoje: cota - remaining,
  };
}

async function issue(request: Request, { dataDir, clock, log }: KeysOptions): Promise<Response> {
  const body = await readBody(request, isNovaChave, '{"nome": "acme", "cota": null}');
  if (body instanceof Response) return body;
  const { nome, cota } = body;
  if (!KEY_NAME.test(nome)) return adminErro(400, BAD_NAME);
  if (inForce(dataDir, nome)) {
    return adminErro(409, `já há uma chave em vigor com o nome ${nome}; revogue-a antes ou use outro nome`);
  }
  const chave = issueKey(dataDir, nome, cota, clock.date());
  log.info({ name: nome, quota_per_day: cota }, 'console: key issued');
  return adminJson(201, { nome, chave });
}

function revoke(nome: string, { dataDir, clock, log }: KeysOptions): Response {
  const known = readKeys(dataDir).keys.some(({ name }) => name === nome);
  if (!known) return adminErro(404, `não há chave com o nome ${nome}; escolha uma da lista`);
  const isNew = revokeKey(dataDir, nome, clock.date());
  if (!isNew) return adminErro(409, `a chave ${nome} já foi revogada`);
  log.info({ name: nome }, 'console: key revoked');
  return adminJson(200, { nome });
}

function inForce(dataDir: string, nome: string): boolean {
  return readKeys(dataDir).keys.some(({ name, revoked_at }) => name === nome && revoked_at === null);
}

/** The store throws where the disk refuses, and where another command was quicker. */
async function attempt(work: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return adminErro(
      500,
      `a pasta das chaves não pôde ser lida ou gravada (${reason}); confira espaço e permissões`,
    );
  }
}
