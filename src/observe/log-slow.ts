/** Messages whose line names every ask of every base: too much for a terminal, where the worst base is enough. */
const BRIEF: ReadonlyMap<unknown, string> = new Map([
  ['slow request', 'slow'],
  ['request not answered', 'not answered'],
]);

/** What such a line holds, as `http/request-log.ts` writes it; a line may be of another version. */
interface Line {
  readonly msg?: unknown;
  readonly request_id?: unknown;
  readonly route?: unknown;
  readonly ms?: unknown;
  readonly steps?: unknown;
}

/** True for a line of which a terminal shows a part only. */
export function isBrief({ msg }: Line): boolean {
  return BRIEF.has(msg);
}

/**
 * The part of such a line that fits a terminal: the route, the time, the base that took the longest with its times in
 * queue and thread, and the id by which the JSON line has the rest.
 */
export function briefLine({ msg, request_id, route, ms, steps }: Line): string {
  const worst = worstBase(Array.isArray(steps) ? steps : []);
  const base = worst === null ? '' : `, worst ${worst.base} queue ${worst.queueMs} run ${worst.runMs}`;
  return `${BRIEF.get(msg) ?? String(msg)}: ${String(route)} ${whole(ms)} ms${base}, id ${String(request_id)}`;
}

/** Milliseconds of all that a base was asked; null when none was, or all came from the result cache. */
function worstBase(steps: readonly unknown[]): { base: string; queueMs: number; runMs: number } | null {
  const totals = new Map<string, { queueMs: number; runMs: number }>();
  for (const step of steps) {
    if (typeof step !== 'object' || step === null || !('base' in step)) continue;
    const total = totals.get(String(step.base)) ?? { queueMs: 0, runMs: 0 };
    if ('queue_ms' in step) total.queueMs += Number(step.queue_ms);
    if ('run_ms' in step) total.runMs += Number(step.run_ms);
    totals.set(String(step.base), total);
  }
  const [worst] = [...totals].toSorted(([, a], [, b]) => b.queueMs + b.runMs - a.queueMs - a.runMs);
  if (worst === undefined || worst[1].queueMs + worst[1].runMs === 0) return null;
  const [base, { queueMs, runMs }] = worst;
  return { base, queueMs: whole(queueMs), runMs: whole(runMs) };
}

function whole(ms: unknown): number {
  return Math.round(Number(ms));
}
