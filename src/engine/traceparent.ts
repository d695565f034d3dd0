/** Version 00 of W3C's header: trace, span and flags, in hexadecimal; neither trace nor span is all zeros. */
export const TRACEPARENT = '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$';

const FORM = new RegExp(TRACEPARENT, 'u');

/** The trace that a client has begun; undefined where it sent none, or anything else. */
export function readTraceparent(sent: string | null): string | undefined {
  return sent !== null && FORM.test(sent) ? sent : undefined;
}
