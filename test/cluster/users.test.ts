import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASES } from '../../src/contract/vocabulary.ts';
import { BUCKET_LOOK_MS, Bucket } from '../../src/cluster/bucket.ts';
import { forEachOf } from '../../src/contract/records.ts';
import { systemClock } from '../../src/clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer } from './nats-server.ts';
import { Guarded, MEMBERS, hear } from './users.ts';

const NAMES = MEMBERS.map(({ name }) => name);
const BUCKETS = ['jur_keys', 'jur_secrets', 'jur_settings', 'jur_data'];
const STREAMS = ['jur_quota', ...BUCKETS.map((bucket) => `KV_${bucket}`)];
const OF_STREAMS = [
  ...'CREATE UPDATE DELETE PURGE INFO MSG.GET MSG.DELETE SNAPSHOT RESTORE PEER.REMOVE'.split(' '),
  ...'LEADER.STEPDOWN'.split(' '),
].map((call) => `STREAM.${call}`);
const OF_CONSUMERS = ['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE', 'NAMES', 'LIST', 'MSG.NEXT', 'PAUSE'];
const API = [
  'INFO',
  'STREAM.NAMES',
  'STREAM.LIST',
  'META.LEADER.STEPDOWN',
  'SERVER.REMOVE',
  'ACCOUNT.PURGE.JUR',
  ...STREAMS.flatMap((stream) => [
    ...OF_STREAMS.map((call) => `${call}.${stream}`),
    ...OF_CONSUMERS.flatMap((call) => [`CONSUMER.${call}.${stream}`, `CONSUMER.${call}.${stream}.c`]),
    `DIRECT.GET.${stream}`,
    `DIRECT.GET.${stream}.jur.quota.1.k`,
  ]),
];
/** All subjects that members send or hear, by the names of all members; those of NATS; and some that nobody may use. */
const SUBJECTS = [
  'jur.v1.hello',
  'jur.quota.20000.key',
  'jur.v1.kv.jur_keys.616e61',
  'jur.v1.kv.jur_data.manifest.tst',
  ...NAMES.flatMap((name) => [
    `jur.v1.hello.${name}`,
    `jur.v1.hb.${name}`,
    `jur.v1.front.${name}`,
    `_INBOX_${name}.x.1`,
    ...NAMES.flatMap((other) => [
      `jur.v1.ask.${name}.${other}`,
      `jur.v1.cancel.${name}.${other}`,
      `jur.v1.re.${name}.${other}.instance.1`,
    ]),
    ...BASES.flatMap((base) => [
      `$KV.jur_data.shown.${base}.${name}`,
      `$KV.jur_data.switching.${base}.${name}`,
    ]),
  ]),
  ...BASES.map((base) => `$KV.jur_data.manifest.${base}`),
  ...['shown.tst', 'shown.none.n1', 'switching.tst.0', 'manifest.none', 'any'].map(
    (key) => `$KV.jur_data.${key}`,
  ),
  '$KV.jur_keys.616e61',
  '$KV.jur_secrets.cursor',
  '$KV.jur_settings.tst.threads',
  '$KV.other.any',
  ...API.flatMap((call) => [`$JS.API.${call}`, `jur.v1.js.${call}`]),
  '$JS.ACK.KV_jur_keys.c.1.1.1.1.1',
  '$JS.EVENT.ADVISORY.API',
  '$SYS.REQ.SERVER.PING',
  '_INBOX.x.1',
  'other',
  'jur.v1.admin.n1',
  '$SYS.REQ.ACCOUNT.JUR.CONNZ',
  '_R_.x.y',
];

const readOf = (buckets: readonly string[]) => buckets.map((bucket) => `$JS.API.DIRECT.GET.KV_${bucket}`);
const keysOf = (kind: string, name: string) => BASES.map((base) => `$KV.jur_data.${kind}.${base}.${name}`);
const SHARED_VALUES = ['$KV.jur_keys.616e61', '$KV.jur_secrets.cursor', '$KV.jur_settings.tst.threads'];

/** What gets to the common account, where the streams are, of all that each member may send. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  ...forEachOf(['f1', 'f2'], () => [
    'jur.quota.20000.key',
    ...SHARED_VALUES,
    ...STREAMS.map((stream) => `$JS.API.STREAM.CREATE.${stream}`),
    ...readOf(BUCKETS),
    '$JS.API.DIRECT.GET.jur_quota',
    '$JS.API.STREAM.INFO.jur_quota',
  ]),
  ...forEachOf(['n1', 'n2'], (name) => [
    ...keysOf('shown', name),
    ...keysOf('switching', name),
    ...readOf(['jur_settings', 'jur_data']),
  ]),
  publisher: [...BASES.map((base) => `$KV.jur_data.manifest.${base}`), ...readOf(['jur_data'])],
  operator: [
    ...SHARED_VALUES,
    ...STREAMS.slice(1, 4).map((stream) => `$JS.API.STREAM.CREATE.${stream}`),
    ...readOf(['jur_keys', 'jur_secrets', 'jur_settings']),
  ],
};

/** What one member hears of all that another one may send, and of all that is sent in the common account. */
function heardBy(listener: string, sender: string): string[] {
  const [isFront, isNode] = [listener.startsWith('f'), listener.startsWith('n')];
  if (sender.startsWith('f'))
    return isFront
      ? [`jur.v1.front.${sender}`]
      : isNode
        ? ['hello', `ask.${listener}`, `cancel.${listener}`].map((kind) => `jur.v1.${kind}.${sender}`)
        : [];
  if (sender.startsWith('n'))
    return isFront
      ? [`jur.v1.hb.${sender}`, `jur.v1.re.${listener}.${sender}.instance.1`]
      : isNode
        ? ['hello', 'hb'].map((kind) => `jur.v1.${kind}.${sender}`)
        : [];
  if (sender !== 'root') return [];
  return [
    ...(isFront || listener === 'operator' ? ['jur.v1.kv.jur_keys.616e61'] : []),
    ...(listener === 'operator' ? [] : ['jur.v1.kv.jur_data.manifest.tst']),
  ];
}

describe.skipIf(!hasNatsServer())('the users of a cluster', () => {
  expectNoUnhandledRejection();
  let guarded: Guarded;
  beforeAll(async () => {
    guarded = await Guarded.start();
  });
  afterAll(() => guarded.stop());

  test.each([...NAMES, 'root'])('%s is heard where its role allows, and nowhere else', async (sender) => {
    const heard = new Map<string, Set<string>>();
    const clients = new Map<string, NatsConnection>();
    const patterns = ['>', '*.>', '$KV.>', '$JS.>', '_INBOX.>', 'jur.>', 'jur.v1.>', '_R_.>'];
    for (const name of [...NAMES, 'root']) {
      const client = name === 'root' ? await guarded.root() : await guarded.as(name);
      const subjects = new Set<string>();
      clients.set(name, client);
      heard.set(name, subjects);
      if (name !== sender) hear(client, [...SUBJECTS, ...patterns], ({ subject }) => subjects.add(subject));
      await client.flush();
    }
    const client = clients.get(sender);
    for (const subject of SUBJECTS) client?.publish(subject, '', { reply: `_INBOX_${sender}.none` });
    for (const one of [client, ...clients.values()]) await one?.flush();
    for (const name of NAMES.filter((one) => one !== sender))
      expect([name, ...(heard.get(name) ?? [])].toSorted()).toEqual(
        [name, ...heardBy(name, sender)].toSorted(),
      );
    // Streams have answered too.
    const stored = [...(heard.get('root') ?? [])].filter((subject) => !/^_R_|^\$JS\.EVENT/u.test(subject));
    expect(stored.toSorted()).toEqual((STORED[sender] ?? []).toSorted());
  });

  test('know of a value within a moment, if it is theirs to know', async () => {
    const open = async (name: string, bucket: string) => {
      const broker = guarded.broker(name);
      await broker.ready;
      return new Bucket({
        broker,
        clock: {
          ...systemClock,
          after: (ms, action) => systemClock.after(ms === BUCKET_LOOK_MS ? 1e9 : ms, action),
        },
        name: bucket,
        file: null,
        creates: name === 'f1',
        log: { warn: () => undefined },
      });
    };
    for (const [bucket, writer, readers] of [
      ['jur_keys', 'operator', ['f1', 'f2']],
      ['jur_settings', 'f2', ['f1', 'n1', 'operator']],
    ] as const) {
      const known = await Promise.all(readers.map((name) => open(name, bucket)));
      await Promise.all(known.map((one) => one.firstRead));
      const writing = await open(writer, bucket);
      await writing.firstRead;
      expect(await writing.put('616e61', 'a value', 0)).toBe(true);
      for (const one of known)
        await until('it is known', () => one.entries.get('616e61')?.text === 'a value');
      for (const one of [...known, writing]) one.close();
    }
  });

  test('go on, and find those that are new, when the servers have read a new list', async () => {
    const [front, node] = [await guarded.as('f1'), await guarded.as('n1')];
    const seen = new Set<string>();
    hear(front, ['jur.v1.hb.*'], ({ subject }) => seen.add(subject));
    hear(node, ['jur.v1.ask.n1.*'], ({ subject }) => seen.add(subject));
    await guarded.reload([
      { role: 'front', name: 'f3' },
      { role: 'base', name: 'n3' },
    ]);
    await until('all are heard', async () => {
      const [newFront, newNode] = [await guarded.as('f3'), await guarded.as('n3')];
      node.publish('jur.v1.hb.n1', '');
      newNode.publish('jur.v1.hb.n3', '');
      front.publish('jur.v1.ask.n1.f1', '');
      newFront.publish('jur.v1.ask.n1.f3', '');
      for (const one of [newFront, newNode, front, node]) await one.flush();
      return seen.size === 4;
    });
    expect([front.isClosed(), node.isClosed()]).toEqual([false, false]);
  });
});
