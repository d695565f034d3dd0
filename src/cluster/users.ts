import { nkeys } from '@nats-io/transport-node';
import { BASES } from '../contract/vocabulary.ts';
import { QUOTA_STREAM } from './counters.ts';
import { DATA_BUCKET, manifestKey, shownKey, switchingKey } from './data/registry.ts';
import { KEYS_BUCKET } from './keys.ts';
import { SECRETS_BUCKET } from './secrets.ts';
import { SETTINGS_BUCKET } from './settings.ts';
import {
  JETSTREAM_API,
  askSubject,
  cancelSubject,
  changesSubject,
  frontSubject,
  heartbeatSubject,
  helloSubject,
  inboxPrefix,
  replySubject,
} from './subjects.ts';

/** Roles of NATS users. Each member has a user with only the rights that its role needs. */
export const MEMBER_ROLES = ['front', 'base', 'publisher', 'operator'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];
export interface Member {
  readonly role: MemberRole;
  /** As its `NODE_NAME`. */
  readonly name: string;
}

export interface Rights {
  /** Values and charges, for the streams of the common account. */
  readonly writes: readonly string[];
  readonly calls: readonly string[];
  /** Notices of changed values, from the common account. */
  readonly watches: readonly string[];
  /** Messages to other members. */
  readonly sends: readonly string[];
  /** Messages of another member. @param name `*`: any. */
  readonly hears: (role: MemberRole, name: string) => readonly string[];
}

const SHARED = [KEYS_BUCKET, SECRETS_BUCKET, SETTINGS_BUCKET];
const API = '$JS.API';
/** JetStream's account, which has no users. */
const COMMON = 'JUR';
/** JetStream's answers end with a last message, which a lost server never sends. */
const BATCH_MAX = '5s';

export function rightsOf({ role, name }: Member): Rights {
  const none: Rights = { writes: [], calls: [], watches: [], sends: [], hears: () => [] };
  switch (role) {
    case 'front':
      return {
        writes: ['jur.quota.*.*', ...SHARED.map(allOf)],
        calls: [
          ...[...SHARED, DATA_BUCKET].map(streamOf).flatMap((stream) => [making(stream), reading(stream)]),
          making(QUOTA_STREAM),
          reading(QUOTA_STREAM),
          `${API}.STREAM.INFO.${QUOTA_STREAM}`,
        ],
        watches: [...SHARED, DATA_BUCKET].map(changesSubject),
        sends: [helloSubject(name), frontSubject(name), askSubject('*', name), cancelSubject('*', name)],
        hears: (other, sender) => {
          if (other === 'front') return [frontSubject(sender)];
          return other === 'base' ? [heartbeatSubject(sender), `${replySubject(name, sender, '*')}.*`] : [];
        },
      };
    case 'base':
      return {
        writes: BASES.flatMap((base) => [shownKey(base, name), switchingKey(base, name)].map(dataSubject)),
        calls: [SETTINGS_BUCKET, DATA_BUCKET].map(streamOf).map(reading),
        watches: [SETTINGS_BUCKET, DATA_BUCKET].map(changesSubject),
        sends: [helloSubject(name), heartbeatSubject(name), `${replySubject('*', name, '*')}.*`],
        hears: (other, sender) => {
          if (other === 'base') return [helloSubject(sender), heartbeatSubject(sender)];
          return other === 'front'
            ? [helloSubject(sender), askSubject(name, sender), cancelSubject(name, sender)]
            : [];
        },
      };
    case 'publisher':
      return {
        ...none,
        writes: BASES.map((base) => dataSubject(manifestKey(base))),
        calls: [reading(streamOf(DATA_BUCKET))],
        watches: [changesSubject(DATA_BUCKET)],
      };
    case 'operator':
      return {
        ...none,
        writes: SHARED.map(allOf),
        calls: SHARED.map(streamOf).flatMap((stream) => [making(stream), reading(stream)]),
        watches: SHARED.map(changesSubject),
      };
  }
}

/** An NKey. `seed` is the secret, which only its member has; `user` is what the servers know. */
export function makeNkey(): { readonly seed: string; readonly user: string } {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), user: pair.getPublicKey() };
}

/** The public part of a seed. @throws if it is no seed. */
export function nkeyOf(seed: string): string {
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}

/**
 * The accounts of a cluster, in the syntax of nats-server, one per member: whoever publishes may name any subject for the
 * reply, and JetStream would send it there, past the member's rights. In another account that has no effect. Messages between
 * members go directly from account to account: the servers do not export a subject as a stream that an account has imported as
 * a service.
 */
export function accountsText(members: readonly (Member & { readonly user: string })[]): string {
  const any = MEMBER_ROLES.map((role) => rightsOf({ role, name: '*' }));
  return [
    '# Made by bun run cluster-users.',
    'accounts {',
    '  SYS: {}',
    `  ${COMMON}: {`,
    '    jetstream: enabled',
    '    exports: [',
    ...unique(any.flatMap(({ writes }) => writes)).map((subject) => `      { service: "${subject}" }`),
    ...unique(any.flatMap(({ calls }) => calls)).map(
      (subject) =>
        `      { service: "${subject}", response_type: "stream", response_threshold: "${BATCH_MAX}" }`,
    ),
    ...unique(any.flatMap(({ watches }) => watches)).map((subject) => `      { stream: "${subject}" }`),
    '    ]',
    '  }',
    ...members.flatMap((member) => accountOf(member, members)),
    '}',
    'system_account: SYS',
    '',
  ].join('\n');
}

function accountOf(member: Member & { readonly user: string }, members: readonly Member[]): string[] {
  const { writes, calls, watches, sends, hears } = rightsOf(member);
  const publish = [...writes, ...calls.map(atUser), ...sends];
  const heard = MEMBER_ROLES.flatMap((role) => hears(role, '*'));
  const subscribe = unique([`${inboxPrefix(member.name)}.>`, ...watches, ...heard]);
  const others = members.filter((one) => one !== member);
  return [
    `  ${accountName(member)}: {`,
    `    users: [ { nkey: ${member.user}, permissions: {`,
    `      publish: ${JSON.stringify(publish)}`,
    `      subscribe: ${JSON.stringify(subscribe)}`,
    '    } } ]',
    `    exports: [ ${sends.map((subject) => `{ stream: "${subject}" }`).join(', ')} ]`,
    '    imports: [',
    ...writes.map((subject) => `      { service: ${at(COMMON, subject)} }`),
    ...calls.map((subject) => `      { service: ${at(COMMON, subject)}, to: "${atUser(subject)}" }`),
    ...watches.map((subject) => `      { stream: ${at(COMMON, subject)} }`),
    ...others.flatMap((other) =>
      hears(other.role, other.name).map((subject) => `      { stream: ${at(accountName(other), subject)} }`),
    ),
    '    ]',
    '  }',
  ];
}

function accountName({ role, name }: Member): string {
  return `${role}-${name}`;
}

function at(account: string, subject: string): string {
  return `{ account: "${account}", subject: "${subject}" }`;
}

/** The subject at which a member reaches JetStream's API. */
function atUser(subject: string): string {
  return subject.replace(API, JETSTREAM_API);
}

function unique(subjects: readonly string[]): string[] {
  return [...new Set(subjects)];
}

function streamOf(bucket: string): string {
  return `KV_${bucket}`;
}

function allOf(bucket: string): string {
  return `$KV.${bucket}.>`;
}

function dataSubject(key: string): string {
  return `$KV.${DATA_BUCKET}.${key}`;
}

/** Creating an existing stream changes nothing. */
function making(stream: string): string {
  return `${API}.STREAM.CREATE.${stream}`;
}

function reading(stream: string): string {
  return `${API}.DIRECT.GET.${stream}`;
}
