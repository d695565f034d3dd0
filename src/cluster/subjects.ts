/**
 * The names of what travels over NATS. A node is a process with `ROLE=base`; its name is one token of a subject, so that
 * permissions can give each node its own subjects. What a node says of itself stands in one message, whatever the number
 * of its bases; so do the requests of one moment to a node.
 */
const ROOT = 'jur.v1';

/** Requests to a node; the reply goes to the inbox of the front. */
export function askSubject(node: string): string {
  return `${ROOT}.ask.${node}`;
}

/** Ends requests whose answer nobody waits for. */
export function cancelSubject(node: string): string {
  return `${ROOT}.cancel.${node}`;
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

/** A front asks all nodes for a heartbeat at once, when it has connected. */
export const HELLO = `${ROOT}.hello`;

/** Where replies to a process come in: `PREFIX.>` is what its user must be allowed to subscribe to. */
export function inboxPrefix(name: string): string {
  return `_INBOX_${name}`;
}
