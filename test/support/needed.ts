/** Whether the machine has what some tests need. Where it has not, they are skipped with a warning. @throws in CI. */
export function hasNeeded(what: string, isThere: boolean): boolean {
  if (!isThere && process.env['CI'] !== undefined) throw new Error(`CI needs ${what}`);
  if (!isThere) console.warn(`tests that need ${what} are skipped: there is none`);
  return isThere;
}
