import { runPickCommand } from './pick-command.ts';
import { readmit } from './withdraw.ts';

await runPickCommand(
  'readmit',
  'Let withdrawn decisions be loaded again: their next load gives them new numbers.',
  'It brings nothing back: load their lines again.',
  readmit,
);
