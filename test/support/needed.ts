/** Whether the machine has what some tests need. Where it has not they are skipped with a word. @throws in CI. */
export function hasNeeded(what: string, isThere: boolean): boolean {
  if (!isThere && isCi(process.env)) throw new Error(`CI needs ${what}`);
  if (!isThere) console.warn(`tests that need ${what} are skipped: there is none`);
  return isThere;
}

/** Whether the tests run in CI, where all they need must be there. An empty `CI`, `0` and `false` mean no. */
export function isCi({ CI = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(CI.trim().toLowerCase());
}
