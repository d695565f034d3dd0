/**
 * The subjects of NATS. A node is a process with `ROLE=base`. The sender of a message stands in its subject, and
 * NATS lets nobody else publish there; a payload does not name it. A node reports on all its bases in one message,
 * and the requests of one moment to a node are one message too.
 */
const ROOT = 'jur.v1';

/** Requests of a front to a node. */
export function askSubject(node: string, front: string): string {
  return `${ROOT}.ask.${node}.${front}`;
}

/** Ends requests whose answer the front no longer waits for. */
export function cancelSubject(node: string, front: string): string {
  return `${ROOT}.cancel.${node}.${front}`;
}

/** Answers of a node to a front. `instance`: tells the front from an earlier one of its name. */
export function replySubject(front: string, node: string, instance: string): string {
  return `${ROOT}.re.${front}.${node}.${instance}`;
}

/** The node that such a subject is of. */
export function answererOf(subject: string): string {
  return subject.split('.')[4] ?? '';
}

/** A node's heartbeat. */
export function heartbeatSubject(node: string): string {
  return `${ROOT}.hb.${node}`;
}

/** The heartbeats of all nodes. */
export const HEARTBEATS = `${ROOT}.hb.*`;

/** Says that a front is there: as many as are heard share the quotas when these cannot be counted. */
export function frontSubject(name: string): string {
  return `${ROOT}.front.${name}`;
}

/** Of all fronts. */
export const FRONTS = `${ROOT}.front.*`;

/** Asks all nodes for a heartbeat at once: somebody has connected. */
export function helloSubject(name: string): string {
  return `${ROOT}.hello.${name}`;
}

/** Says that values of a bucket have changed. JetStream sends it when they are stored. */
export function changesSubject(bucket: string): string {
  return `${ROOT}.kv.${bucket}.>`;
}

/** Where users that are not of JetStream's account reach its API: the servers refuse them at `$JS.API`. */
export const JETSTREAM_API = `${ROOT}.js`;

/** Where replies of NATS itself to a process come in. No other process can publish there. */
export function inboxPrefix(name: string): string {
  return `_INBOX_${name}`;
}
