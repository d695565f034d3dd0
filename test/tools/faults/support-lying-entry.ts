import type { BaseReply } from '../../../src/engine/messages.ts';
import run from '../../../workers/main.ts';

/** A thread entry whose replies to searches are not what they say they are: a bug that nobody has foreseen. */
export default function lie(...task: Parameters<typeof run>): ReturnType<typeof run> {
  return run(...task).map((outcome) => {
    if (outcome?.ok !== true || outcome.value.kind !== 'search') return outcome;
    return { ok: true, value: { kind: 'search' } as unknown as BaseReply };
  });
}
