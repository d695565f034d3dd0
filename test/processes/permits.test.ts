import { describe, expect, test } from 'vitest';
import { BorrowedPermits, LentPermits } from '../../src/processes/permits.ts';

function start(count: number, names: readonly string[]) {
  const running: string[] = [];
  const children = new Map<string, BorrowedPermits>();
  const lent = new LentPermits<string>(count, (name) => {
    children.get(name)?.granted();
  });
  for (const name of names) {
    const child = new BorrowedPermits((kind) => {
      if (kind === 'permit_wanted') lent.take(name);
      else lent.give(name);
    });
    children.set(name, child);
  }
  const child = (name: string) => {
    const found = children.get(name);
    if (found === undefined) throw new Error(`no child ${name}`);
    return found;
  };
  const run = (name: string) => {
    child(name).take(() => running.push(name));
  };
  return { lent, child, run, running };
}

describe('permits for expensive work', () => {
  test('are never more than there are, and go to children in the order in which they ask', () => {
    const { child, run, running } = start(1, ['a', 'b']);
    for (const name of ['a', 'a', 'b', 'a']) run(name);
    expect(running).toEqual(['a']);
    for (const name of ['a', 'a', 'b']) child(name).give();
    expect(running).toEqual(['a', 'a', 'b', 'a']);
  });

  test('may become more or fewer while they are lent', () => {
    const { lent, child, run, running } = start(2, ['a']);
    for (let at = 0; at < 5; at += 1) run('a');
    lent.count = 1;
    child('a').give();
    expect(running).toHaveLength(2);
    child('a').give();
    expect(running).toHaveLength(3);
    lent.count = 3;
    expect(running).toHaveLength(5);
  });

  test('of a child that has ended are free again, and it gets none that it asked for', () => {
    const { lent, child, run, running } = start(2, ['a', 'b']);
    for (const name of ['a', 'a', 'a', 'b', 'b']) run(name);
    expect(running).toEqual(['a', 'a']);
    lent.forget('a');
    expect(running).toEqual(['a', 'a', 'b', 'b']);
    // It comes too late.
    child('a').give();
    run('b');
    expect(running).toHaveLength(4);
  });

  test('are one of each child while the parent is silent', () => {
    const sent: string[] = [];
    const child = new BorrowedPermits((kind) => sent.push(kind));
    const running: string[] = [];
    for (const name of ['x', 'y']) child.take(() => running.push(name));
    expect(running).toEqual([]);
    child.isSilent = true;
    expect(running).toEqual(['x']);
    child.give();
    expect(running).toEqual(['x', 'y']);
    child.isSilent = false;
    child.give();
    expect(sent).toEqual(['permit_wanted', 'permit_wanted']);
    // The parent answers both at last.
    child.granted();
    child.granted();
    expect(sent.slice(2)).toEqual(['permit_returned', 'permit_returned']);
  });
});
