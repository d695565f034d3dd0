import { nkeys } from '@nats-io/transport-node';
import { ASKS_PER_MESSAGE_MAX } from '../config/limits.ts';
import { BASE_SETTINGS } from '../config/settings.ts';
import { DATA_BUCKET } from './data/registry.ts';
import { KEYS_BUCKET } from './keys.ts';
import { SECRETS_BUCKET } from './secrets.ts';
import { SETTINGS_BUCKET } from './settings.ts';
import {
  FRONTS,
  HEARTBEATS,
  HELLO,
  askSubject,
  cancelSubject,
  frontSubject,
  heartbeatSubject,
  inboxPrefix,
} from './subjects.ts';

/** Who connects to the NATS servers. Each has a user of its own, which may do what its role needs and no more. */
export const MEMBER_ROLES = ['front', 'base', 'publisher', 'operator'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];
export interface Member {
  readonly role: MemberRole;
  /** As its `NODE_NAME`. */
  readonly name: string;
}

/** What a user may publish and subscribe to. `replies`: it may answer its askers. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  readonly replies: boolean;
}

const QUOTA_STREAM = 'jur_quota';
/** What a base may take at most: the longest window, and as long to count. */
const ANSWER_MS_MAX = 2 * Math.max(...BASE_SETTINGS.map(({ key, max }) => (key.endsWith('_ms') ? max : 0)));
/** Each request of a message is answered by itself at worst; after its budget nobody waits for it. */
const RESPONSES = `{ max: ${ASKS_PER_MESSAGE_MAX}, expires: "${ANSWER_MS_MAX / 1_000 + 1}s" }`;

/** What a member may do. */
export function permissionsOf({ role, name }: Member): Permissions {
  const inbox = `${inboxPrefix(name)}.>`;
  switch (role) {
    case 'front':
      return {
        publish: [
          askSubject('*'),
          cancelSubject('*'),
          HELLO,
          frontSubject(name),
          'jur.quota.*.*',
          ...making(QUOTA_STREAM),
          ...[KEYS_BUCKET, SECRETS_BUCKET, SETTINGS_BUCKET].flatMap(writing),
          ...making(streamOf(DATA_BUCKET)),
          ...reading(DATA_BUCKET),
        ],
        subscribe: [
          inbox,
          HEARTBEATS,
          FRONTS,
          ...[KEYS_BUCKET, SECRETS_BUCKET, SETTINGS_BUCKET, DATA_BUCKET].map(changesOf),
        ],
        replies: false,
      };
    case 'base':
      return {
        publish: [
          heartbeatSubject(name),
          HELLO,
          `$KV.${DATA_BUCKET}.shown.*`,
          `$KV.${DATA_BUCKET}.switching.*.*`,
          ...[SETTINGS_BUCKET, DATA_BUCKET].flatMap(reading),
        ],
        subscribe: [
          inbox,
          askSubject(name),
          cancelSubject(name),
          HELLO,
          HEARTBEATS,
          ...[SETTINGS_BUCKET, DATA_BUCKET].map(changesOf),
        ],
        replies: true,
      };
    case 'publisher':
      return {
        publish: [`$KV.${DATA_BUCKET}.manifest.*`, ...making(streamOf(DATA_BUCKET)), ...reading(DATA_BUCKET)],
        subscribe: [inbox, changesOf(DATA_BUCKET)],
        replies: false,
      };
    case 'operator':
      return {
        publish: [KEYS_BUCKET, SECRETS_BUCKET, SETTINGS_BUCKET].flatMap(writing),
        subscribe: [inbox, ...[KEYS_BUCKET, SECRETS_BUCKET, SETTINGS_BUCKET].map(changesOf)],
        replies: false,
      };
  }
}

/** An NKey. `seed` is the secret, which only its member has; `user` is what the servers know. */
export interface Nkey {
  readonly seed: string;
  readonly user: string;
}

export function makeNkey(): Nkey {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), user: pair.getPublicKey() };
}

/** The public part of a seed. @throws where it is none. */
export function nkeyOf(seed: string): string {
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}

/** The users of an account, in the syntax of nats-server. */
export function usersText(members: readonly (Member & { readonly user: string })[]): string {
  const users = members.map((member) => {
    const { publish, subscribe, replies } = permissionsOf(member);
    return [
      `  # ${member.role} ${member.name}`,
      `  { nkey: ${member.user}, permissions: {`,
      `    publish: ${JSON.stringify(publish)}`,
      `    subscribe: ${JSON.stringify(subscribe)}`,
      ...(replies ? [`    allow_responses: ${RESPONSES}`] : []),
      '  } }',
    ].join('\n');
  });
  return `users: [\n${users.join('\n')}\n]\n`;
}

function streamOf(bucket: string): string {
  return `KV_${bucket}`;
}

function changesOf(bucket: string): string {
  return `$KV.${bucket}.>`;
}

/** Making a stream that is there already changes nothing. */
function making(stream: string): string[] {
  return ['$JS.API.INFO', `$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.INFO.${stream}`];
}

function reading(bucket: string): string[] {
  const direct = `$JS.API.DIRECT.GET.${streamOf(bucket)}`;
  return [direct, `${direct}.>`];
}

function writing(bucket: string): string[] {
  return [`$KV.${bucket}.>`, ...making(streamOf(bucket)), ...reading(bucket)];
}
