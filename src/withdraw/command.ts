import { runPickCommand } from './pick-command.ts';
import { withdraw } from './withdraw.ts';

await runPickCommand(
  'withdraw',
  'Take decisions out of their bases for ever: a running service has them no more within a second.',
  'Their numbers are not given again, and a load rejects their keys until:\n' +
    'bun run readmit. Then the base file is written anew, which needs free room\n' +
    'for it twice. If it is stopped, the next load does the rest, or the base\n' +
    'alone: bun run withdraw stj.\n' +
    'Replicas that follow published files: bun run publish BASE --purge.',
  withdraw,
);
