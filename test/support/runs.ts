/**
 * How many cases a property is tried on: all of them, or the share that `FC_SHARE` says. A mutation run takes few, for a
 * change that only one case in hundreds shows is seldom among its changes.
 */
export function runs(all: number): number {
  return Math.max(5, Math.ceil(all * Number(process.env['FC_SHARE'] ?? 1)));
}
