import { hostname } from 'node:os';
import { BASES, isOneOf } from '../contract/vocabulary.ts';

type Values = Readonly<Record<string, unknown>>;

/** The name is one token of a NATS subject, so it has no dot. */
const NODE_NAME = /^[\w-]{1,64}$/u;
const SERVER = /^(?:nats|tls):\/\/[^\s/]+$/u;

/** The configured name, or one derived from the host name. */
export function nodeName(configured: unknown): string {
  if (typeof configured === 'string' && configured !== '') return configured;
  return hostname()
    .replaceAll(/[^\w-]/gu, '-')
    .slice(0, 64);
}

/**
 * Checks the settings of a cluster, alone and in combination.
 * @param values the service's settings by key.
 * @param names their sources, for the messages.
 * @param errors gets a message for each mistake.
 */
export function checkCluster(
  values: Values,
  names: Readonly<Record<string, string>>,
  errors: string[],
): void {
  const { role, node_name, processes } = values;
  const servers = listOf(values['nats_url']);
  const report = (key: string, message: string) => errors.push(`${names[key] ?? key}: ${message}`);
  if (role !== 'all' && servers.length === 0)
    errors.push(`NATS_URL: is needed with ROLE=${String(role)}; for example nats://127.0.0.1:4222`);
  for (const server of servers)
    if (!SERVER.test(server))
      report('nats_url', `${JSON.stringify(server)} is not of the form nats://HOST:PORT`);
  if (typeof node_name === 'string' && !NODE_NAME.test(node_name))
    report('node_name', `must be 1 to 64 letters, digits, - or _ of ASCII, not ${JSON.stringify(node_name)}`);
  for (const base of listOf(values['bases_served']))
    if (!isOneOf(BASES, base))
      report('bases_served', `${JSON.stringify(base)} is not a base; there are ${BASES.join(', ')}`);
  const [hasCa, hasCert, hasKey] = ['nats_ca', 'nats_cert', 'nats_key'].map((key) => values[key] !== '');
  if (hasCert === true && hasKey === false)
    errors.push('NATS_KEY: is needed with NATS_CERT, whose private key it is');
  if (hasKey === true && hasCert === false)
    errors.push('NATS_CERT: is needed with NATS_KEY, whose certificate it is');
  if (hasCert === true && hasCa === false)
    errors.push('NATS_CA: is needed with NATS_CERT; without it there is no TLS');
  if (role !== 'all' && processes !== 1)
    report('processes', `is for ROLE=all; with ROLE=${String(role)} start more processes instead`);
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : [];
}
