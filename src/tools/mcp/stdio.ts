import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** Longer than a call that the service answers. */
const LAST_ANSWERS_MS_MAX = 60_000;

/**
 * Serves on standard input and output. At the end of the input what was asked before is answered, and the process ends: the
 * transport by itself would abort it.
 */
export function serveToTheEnd(factory: Parameters<typeof serveStdio>[0]): void {
  const asked = new Set<unknown>();
  const answered = Promise.withResolvers<void>();
  let hasEnded = false;
  const settle = (id: unknown) => {
    asked.delete(id);
    if (hasEnded && asked.size === 0) answered.resolve();
  };
  async function* input() {
    yield* process.stdin;
    // The last line may have no end.
    yield Buffer.from('\n');
    hasEnded = true;
    const timeout = setTimeout(LAST_ANSWERS_MS_MAX, undefined, { ref: false });
    if (asked.size > 0) await Promise.race([answered.promise, timeout]);
    await handle.close();
  }
  const transport = new StdioServerTransport(Readable.from(input()));
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message).finally(() => {
      if (!('method' in message)) settle(message.id);
    });
  };
  const handle = serveStdio(factory, { transport });
  const { onmessage, onclose } = transport;
  Object.assign(transport, {
    onmessage: (message: JSONRPCMessage) => {
      // A subscription is answered when the connection is closed.
      if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') asked.add(message.id);
      onmessage?.(message);
      const isCancelling = isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
      if (isCancelling) settle(message.params?.['requestId']);
    },
    onclose: () => {
      onclose?.();
      answered.resolve();
    },
  });
}
