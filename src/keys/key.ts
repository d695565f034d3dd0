import { randomBytes } from 'node:crypto';

/**
 * A key is `jur_`, 160 random bits and a checksum, in lower-case base32. People can read it aloud, scanners can recognise
 * it, and the service rejects a mistyped key without a look-up. Only the SHA-256 of a key is stored.
 */
const PREFIX = 'jur_';
const RANDOM_BYTES = 20;
const CHECKSUM_LENGTH = 6;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SHAPE = /^jur_[a-z2-7]{38}$/u;

const BODY_LENGTH = 38;
/** A complete or partial key in a text, in any case; and a run of letters that may contain a key without its prefix. */
const KEY_IN_TEXT = /jur_[a-z2-7]{8,}/giu;
const RUN_IN_TEXT = /[a-z2-7]{38,}/giu;

export function newKey(): string {
  const body = PREFIX + base32(randomBytes(RANDOM_BYTES));
  return body + checksum(body);
}

/** True when the text has a key's shape and its checksum holds. */
export function isWellFormedKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** The text with possible keys masked, with or without the prefix. */
export function withoutKeys(text: string): string {
  return text
    .replaceAll(KEY_IN_TEXT, `${PREFIX}…`)
    .replaceAll(RUN_IN_TEXT, (run) => (holdsBody(run) ? `${PREFIX}…` : run));
}

/** True for a text that may contain a key, and so must not appear in a log, a trace or a list. */
export function mayHoldKey(text: string): boolean {
  return withoutKeys(text) !== text;
}

function holdsBody(run: string): boolean {
  for (let at = 0; at + BODY_LENGTH <= run.length; at += 1) {
    if (isWellFormedKey(PREFIX + run.slice(at, at + BODY_LENGTH).toLowerCase())) return true;
  }
  return false;
}

/** The SHA-256 of a key in hexadecimal: it is stored instead of the key, and identifies the quota. */
export function digestOfKey(key: string): string {
  return Bun.SHA256.hash(key, 'hex');
}

function checksum(body: string): string {
  return base32(new Uint8Array(Bun.SHA256.hash(`checksum:${body}`).buffer)).slice(0, CHECKSUM_LENGTH);
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return text;
}
