import { expect, test } from 'vitest';

const SUBJECT_MAX = 60;
/** The last commit before the rule was tested; some older subjects are longer. */
const SINCE = 'a60076ba5f79d22b845f690aabe0e9d20b6190d1';

/** Not in a source archive, in a shallow clone, or where the files were put into another history. */
const hasHistory = Bun.which('git') !== null && git('merge-base', '--is-ancestor', SINCE, 'HEAD').success;

test.runIf(hasHistory)('the subject of a commit has at most 60 characters', () => {
  const { success, stdout } = git('log', '--no-merges', '--format=%s', `${SINCE}..HEAD`);
  expect(success).toBe(true);
  const subjects = stdout.toString().trimEnd().split('\n');
  expect(subjects.filter((subject) => [...subject].length > SUBJECT_MAX)).toEqual([]);
});

function git(...command: readonly string[]) {
  return Bun.spawnSync(['git', ...command], { cwd: import.meta.dirname, stderr: 'ignore' });
}
