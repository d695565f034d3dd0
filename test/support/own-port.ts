/**
 * Below those that the system gives out by itself (Linux: from 32,768 on): left free, such a port stays free. Each of up to
 * ten workers of a test run has its own.
 */
const PORTS = { from: 20_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 10) * 1_000, count: 1_000 };
const TRIES_MAX = 20;
const given = new Set<number>();

/** A port of the loopback that nothing listens on, and that nobody else is given meanwhile. */
export function ownPort(): number {
  for (let tries = 1; ; tries += 1) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (given.has(port)) continue;
    given.add(port);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }).stop(true);
      return port;
    } catch (error) {
      if (tries >= TRIES_MAX) throw error;
    }
  }
}
