/**
 * NATS subjects. A node is a process with `ROLE=base`. The subject names the sender, and NATS lets nobody else publish there;
 * the payload does not name it. A node's heartbeat covers all its bases, and simultaneous requests to a node share a message.
 */
const ROOT = 'jur.v1';

/** Requests from a front to a node. */
export function askSubject(node: string, front: string): string {
  return `${ROOT}.ask.${node}.${front}`;
}

/** Cancels requests whose answer the front no longer needs. */
export function cancelSubject(node: string, front: string): string {
  return `${ROOT}.cancel.${node}.${front}`;
}

/** Answers from a node to a front. `instance`: distinguishes the front from an earlier one of the same name. */
export function replySubject(front: string, node: string, instance: string): string {
  return `${ROOT}.re.${front}.${node}.${instance}`;
}

/** The node named in such a subject. */
export function answererOf(subject: string): string {
  return subject.split('.')[4] ?? '';
}

export function heartbeatSubject(node: string): string {
  return `${ROOT}.hb.${node}`;
}

export const HEARTBEATS = `${ROOT}.hb.*`;

/** Announces a front: without counters, the announced fronts divide the quotas. */
export function frontSubject(name: string): string {
  return `${ROOT}.front.${name}`;
}

export const FRONTS = `${ROOT}.front.*`;

/** Asks all nodes for an immediate heartbeat after a front has connected. */
export function helloSubject(name: string): string {
  return `${ROOT}.hello.${name}`;
}

/** Announces changed values of a bucket. JetStream sends it when they are stored. */
export function changesSubject(bucket: string): string {
  return `${ROOT}.kv.${bucket}.>`;
}

/** JetStream's API for users of other accounts: the servers refuse them at `$JS.API`. */
export const JETSTREAM_API = `${ROOT}.js`;

/** Replies from NATS to a process. No other process can publish there. */
export function inboxPrefix(name: string): string {
  return `_INBOX_${name}`;
}
