import { expect, it } from 'vitest';
import { readTraceparent } from '../../../src/http/traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const spanOf = (traceparent?: string) =>
  readTraceparent(new Headers(traceparent === undefined ? {} : { traceparent }));

it.each([
  [`00-${TRACE}-${SPAN}-01`, 1],
  [`00-${TRACE}-${SPAN}-00`, 0],
  // A version to come may have more parts.
  [`cc-${TRACE}-${SPAN}-01-more`, 1],
])('a request continues the trace of %s', (text, traceFlags) => {
  expect(spanOf(text)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags, isRemote: true });
});

it.each([
  undefined,
  '',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
])('a request starts a new trace with %j', (text) => {
  expect(spanOf(text)).toBeNull();
});
