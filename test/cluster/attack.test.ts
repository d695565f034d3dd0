import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bucket } from '../../src/cluster/bucket.ts';
import type { Broker } from '../../src/cluster/connection.ts';
import { StreamCounters } from '../../src/cluster/counters.ts';
import { systemClock } from '../../src/clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer } from './nats-server.ts';
import { PATIENT_MS } from './support-nats.ts';
import { Guarded, hear } from './users.ts';

const SECRET = 'only fronts know this';
const VALUES = {
  jur_keys: ['616e61', SECRET],
  jur_secrets: ['cursor', SECRET],
  jur_settings: ['tst.threads', '2'],
  jur_data: ['manifest.tst', 'as published'],
} as const;
const BUCKETS = Object.keys(VALUES) as (keyof typeof VALUES)[];
const STREAMS = ['jur_quota', ...BUCKETS.map((name) => `KV_${name}`)];
/** What an attacker would have a server, a front or another node say, by the subject it comes to. */
const TARGETS = [
  '$KV.jur_keys.616e61',
  '$KV.jur_keys.6576',
  '$KV.jur_secrets.cursor',
  '$KV.jur_settings.tst.threads',
  '$KV.jur_data.manifest.tst',
  '$KV.jur_data.shown.tst.n2',
  'jur.quota.20000.key',
  'jur.v1.hb.n2',
  'jur.v1.front.f2',
  'jur.v1.re.f1.n2.instance.1',
  'jur.v1.ask.n2.f1',
  '_INBOX_f1.any.1',
  ...['DELETE', 'PURGE', 'INFO'].flatMap((call) =>
    STREAMS.map((stream) => `$JS.API.STREAM.${call}.${stream}`),
  ),
  ...STREAMS.map((stream) => `$JS.API.DIRECT.GET.${stream}`),
  ...STREAMS.map((stream) => `jur.v1.js.STREAM.DELETE.${stream}`),
];
/** Where a node may send something: the reply that it names there is the server's, or another process's, to publish. */
const OWN = [
  ['jur.v1.hello.n1', ''],
  ['jur.v1.hb.n1', ''],
  ['jur.v1.re.f1.n1.instance.1', ''],
  ['$KV.jur_data.shown.tst.n1', '[]'],
  ['$KV.jur_data.switching.tst.n1', ''],
  ['jur.v1.js.DIRECT.GET.KV_jur_data', JSON.stringify({ last_by_subj: '$KV.jur_data.shown.tst.n1' })],
  ['jur.v1.js.DIRECT.GET.KV_jur_data', JSON.stringify({ last_by_subj: '$KV.jur_data.switching.tst.n1' })],
  ['jur.v1.js.DIRECT.GET.KV_jur_data', JSON.stringify({ seq: 999 })],
  ['$JS.API.DIRECT.GET.KV_jur_data', JSON.stringify({ last_by_subj: '$KV.jur_data.shown.tst.n1' })],
] as const;

describe.skipIf(!hasNatsServer())('who has the files of one node', () => {
  expectNoUnhandledRejection();
  let guarded: Guarded;
  let root: NatsConnection;
  let front: Broker;
  let publisher: Broker;
  let attacker: NatsConnection;
  /** What the attacker hears, and what other members do, with the subject. */
  const heard: string[] = [];
  const others = new Set<string>();
  const buckets: Bucket[] = [];

  function open(broker: Broker, name: string, creates: boolean): Bucket {
    const log = { warn: () => undefined };
    const bucket = new Bucket({ broker, clock: systemClock, name, file: null, creates, log });
    buckets.push(bucket);
    return bucket;
  }

  beforeAll(async () => {
    guarded = await Guarded.start();
    root = await guarded.root();
    front = guarded.broker('f1');
    await front.ready;
    for (const name of BUCKETS.slice(0, 3)) {
      const [key, text] = VALUES[name];
      expect(await open(front, name, true).put(key, text, 0)).toBe(true);
    }
    await open(front, 'jur_data', true).look();
    publisher = guarded.broker('publisher');
    await publisher.ready;
    const data = open(publisher, 'jur_data', false);
    expect(await data.put(...VALUES.jur_data, 0)).toBe(true);
    const counters = new StreamCounters(front, PATIENT_MS);
    await counters.untilMade(PATIENT_MS);
    expect(await counters.add('20000.key', 7, randomUUID())).toBe(7);
    for (const [name, subjects] of [
      ['f1', ['jur.v1.hb.*', 'jur.v1.front.*', 'jur.v1.re.f1.*.*.*', '_INBOX_f1.>']],
      ['n2', ['jur.v1.ask.n2.*', 'jur.v1.cancel.n2.*']],
    ] as const) {
      const client = await guarded.as(name);
      hear(client, subjects, ({ subject }) => others.add(subject));
      await client.flush();
    }
    attacker = await guarded.as('n1');
    const own = ['jur.v1.hello.n1', '_INBOX_n1.>', '$KV.jur_data.>', '$KV.jur_settings.>'];
    hear(attacker, ['>', ...own, ...TARGETS], (message) =>
      heard.push(`${message.subject} ${message.string()}`),
    );
    await attacker.flush();
  });
  afterAll(async () => {
    for (const bucket of buckets) bucket.close();
    await guarded.stop();
  });

  /** That all is as it was, and no process heard anything that was not the node's own to say. */
  async function expectUnharmed(): Promise<void> {
    await attacker.flush();
    await root.flush();
    const manager = await jetstreamManager(root, { checkAPI: false });
    for (const name of BUCKETS) {
      const [key, text] = VALUES[name];
      const { state } = await manager.streams.info(`KV_${name}`, { subjects_filter: '>' });
      const found = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(`$KV.${name}.`.length));
      expect(found.filter((one) => !one.endsWith('.n1'))).toEqual([key]);
      const stored = await manager.streams.getMessage(`KV_${name}`, { last_by_subj: `$KV.${name}.${key}` });
      expect(stored?.string()).toBe(text);
    }
    expect((await manager.streams.info('jur_quota')).state.messages).toBe(1);
    expect(heard.filter((one) => one.includes(SECRET))).toEqual([]);
    const allowed = /^jur\.v1\.hb\.n1$|^jur\.v1\.re\.f1\.n1\./u;
    const own = [...others].filter((subject) => !subject.startsWith('_INBOX_f1.') || subject.includes('any'));
    expect(own.filter((subject) => !allowed.test(subject))).toEqual([]);
  }

  test('gets nothing by naming a reply where the server, a front or another node would answer', async () => {
    // A value of the attacker has the text to send there.
    await jetstream(attacker).publish('$KV.jur_data.shown.tst.n1', JSON.stringify([{ name: 'eve' }]));
    for (const reply of TARGETS)
      for (const [subject, text] of OWN) attacker.publish(subject, text, { reply });
    await until('what the node may say has come', () => others.has('jur.v1.hb.n1'));
    await expectUnharmed();
  });

  test('gets nothing by hearing its own request, and answering it where it likes', async () => {
    let answered = 0;
    hear(attacker, ['jur.v1.hello.n1'], (message) => {
      for (let at = 0; at < 64; at += 1) answered += message.respond('') ? 1 : 0;
    });
    for (const reply of TARGETS) attacker.publish('jur.v1.hello.n1', '', { reply });
    await attacker.flush();
    await until('it has answered', () => answered >= 64 * TARGETS.length);
    await expectUnharmed();
  });

  test('gets nothing by asking for it', async () => {
    for (const subject of TARGETS) attacker.publish(subject, '', { reply: '_INBOX_n1.answer' });
    const range = JSON.stringify({ seq: 1, batch: 100 });
    for (const stream of STREAMS)
      for (const api of ['$JS.API', 'jur.v1.js'])
        attacker.publish(`${api}.DIRECT.GET.${stream}`, range, { reply: '_INBOX_n1.read' });
    await until('it was answered', () => heard.some((one) => one.startsWith('_INBOX_n1.read')));
    await expectUnharmed();
  });

  test('neither removes values of others with a header, nor hides them', async () => {
    const header = (name: string, value: string, code = 0) => {
      const made = headers(code, code === 0 ? '' : 'none');
      made.set(name, value);
      return made;
    };
    const own = jetstream(attacker);
    for (const made of [
      header('Nats-Rollup', 'all'),
      header('Nats-Subject', '$KV.jur_data.manifest.tst'),
      header('Nats-Request-Info', JSON.stringify({ acc: 'JUR', svc: 'JUR' })),
      header('KV-Operation', 'PURGE'),
      header('Any', '', 404),
      header('Any', '', 204),
    ])
      for (const subject of ['$KV.jur_data.shown.tst.n1', '$KV.jur_data.switching.tst.n1'])
        await own.publish(subject, '1', { headers: made, timeout: 1_000 }).catch(() => undefined);
    const writer = open(publisher, 'jur_data', false);
    await writer.look();
    expect(await writer.put('manifest.stf', 'later', 0)).toBe(true);
    const reader = open(front, 'jur_data', false);
    await reader.look();
    const manifests = [...reader.entries].filter(([key]) => key.startsWith('manifest'));
    expect(manifests.map(([key, { text }]) => [key, text])).toEqual([
      ['manifest.tst', 'as published'],
      ['manifest.stf', 'later'],
    ]);
  });
});
