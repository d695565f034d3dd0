import { dataFolder } from '../config/config.ts';
import { runPlainly } from '../process/fail.ts';
import { pickCommand } from './pick-command.ts';
import { picksOf } from './picks.ts';
import { readmit } from './withdraw.ts';

await pickCommand(
  'readmit',
  'Let withdrawn decisions be loaded again: their next load gives them new numbers.',
  'It brings nothing back: load their lines again.',
)
  .action((names, options) =>
    runPlainly('readmit', () => {
      const dataDir = dataFolder();
      const lines = readmit(dataDir, picksOf(dataDir, names, options), options.reason ?? null);
      for (const line of lines) console.log(line);
    }),
  )
  .parseAsync();
