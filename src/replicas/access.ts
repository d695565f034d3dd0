import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { PlainError } from '../process/fail.ts';
import { createAtomically, makeFolder, writeAtomically } from '../process/files.ts';
import { VALUES_STREAM, VALUES_SUBJECT } from './bucket.ts';
import { QUOTA_STREAM } from './counters.ts';
import { LIVE_STREAM } from './live.ts';

const API = '$JS.API';
const STREAMS = [VALUES_STREAM, LIVE_STREAM, QUOTA_STREAM];

/** What a user may publish; both may hear the answers in their inbox, and changes of values. */
const RIGHTS = {
  replica: [
    `${VALUES_SUBJECT}>`,
    '$KV.jur_replicas.>',
    'jur.quota.*.*',
    `${API}.STREAM.PURGE.${LIVE_STREAM}`,
    ...STREAMS.flatMap((stream) => ['STREAM.CREATE', 'DIRECT.GET'].map((call) => `${API}.${call}.${stream}`)),
  ],
  operator: [`${VALUES_SUBJECT}>`, `${API}.DIRECT.GET.${VALUES_STREAM}`],
} as const;
type User = keyof typeof RIGHTS;

/**
 * Makes, in a folder, an NKey for each of the two users, `users.conf` for the servers, a certificate authority, and a certificate
 * for each host. What is there already stays. @returns the files. @throws PlainError without openssl; system errors.
 */
export function makeAccess(folder: string, hosts: readonly string[]): string[] {
  makeFolder(folder);
  const users = { replica: userIn(folder, 'replica'), operator: userIn(folder, 'operator') };
  const conf = join(folder, 'users.conf');
  writeAtomically(conf, usersText(users));
  const certificates = hosts.map((host) => certificateIn(folder, host));
  const authority = hosts.length === 0 ? [] : [join(folder, 'ca.pem')];
  return [join(folder, 'replica.nk'), join(folder, 'operator.nk'), conf, ...authority, ...certificates];
}

/** The public part of a user's NKey; the secret is made if it is missing. */
function userIn(folder: string, user: User): string {
  const file = join(folder, `${user}.nk`);
  if (!existsSync(file)) {
    const seed = new TextDecoder().decode(nkeys.createUser().getSeed());
    createAtomically(file, `${seed}\n`);
  }
  return nkeys.fromSeed(new TextEncoder().encode(readFileSync(file, 'utf8').trim())).getPublicKey();
}

/** In the syntax of nats-server. */
function usersText(users: Readonly<Record<User, string>>): string {
  const rights = (user: User) =>
    `{ publish: ${JSON.stringify(RIGHTS[user])}, subscribe: ["_INBOX.>", "${VALUES_SUBJECT}>"] }`;
  return `# Made by bun run nats-access: the users replica and operator.
accounts {
  SYS: {}
  JUR: {
    jetstream: enabled
    users: [
      { nkey: ${users.replica}, permissions: ${rights('replica')} }
      { nkey: ${users.operator}, permissions: ${rights('operator')} }
    ]
  }
}
system_account: SYS
`;
}

const EC = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';

/** `ca.key` signs further certificates: it stays on no host of the service. */
function certificateIn(folder: string, host: string): string {
  const file = (name: string) => join(folder, name);
  const ca = { key: file('ca.key'), pem: file('ca.pem') };
  if (!existsSync(ca.key))
    openssl(`req -x509 ${EC} -days 3650 -subj /CN=jurisprudencia`, { keyout: ca.key, out: ca.pem });
  const pem = file(`${host}.pem`);
  const request = file(`${host}.csr`);
  const names = file(`${host}.ext`);
  if (existsSync(pem)) return pem;
  const name = isIP(host) === 0 ? `DNS:${host}` : `IP:${host}`;
  writeFileSync(names, `subjectAltName=${name}\nextendedKeyUsage=serverAuth,clientAuth\n`);
  openssl(`req ${EC} -subj /CN=${host}`, { keyout: file(`${host}.key`), out: request });
  const by = { CA: ca.pem, CAkey: ca.key, in: request, extfile: names, out: pem };
  openssl('x509 -req -CAcreateserial -days 730', by);
  for (const used of [request, names]) rmSync(used);
  return pem;
}

function openssl(words: string, files: Readonly<Record<string, string>>): void {
  const binary = Bun.which('openssl');
  if (binary === null)
    throw new PlainError('openssl is not in PATH; certificates need it: apt-get install openssl');
  const named = Object.entries(files).flatMap(([name, file]) => [`-${name}`, file]);
  const { exitCode, stderr } = Bun.spawnSync([binary, ...words.split(' '), ...named]);
  if (exitCode !== 0) throw new PlainError(`openssl ${words}: ${stderr.toString().trim()}`);
}
