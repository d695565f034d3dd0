import { existsSync } from 'node:fs';
import { Argument } from 'commander';
import { dataFolder } from '../../config/config.ts';
import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import { operatorCommand } from '../../process/command.ts';
import { PlainError, runPlainly } from '../../process/fail.ts';
import { baseFile } from '../format/schema.ts';
import { checkBase } from './check-base.ts';

const command = operatorCommand(
  'check-base',
  'Reads a whole base file and says what in it is damaged.',
  'The exit code is 1 where anything is damaged. Nothing is written, and the' +
    '\nservice may run. A damaged base is mended by its file from a backup, or loaded' +
    '\nagain: move the file away first.',
)
  .addArgument(new Argument('<base>', 'the base to check').choices(BASES))
  .action((base: string) =>
    runPlainly('check-base', () => {
      if (!isOneOf(BASES, base)) throw new PlainError(`no base ${base}`);
      const file = baseFile(dataFolder(), base);
      if (!existsSync(file)) throw new PlainError(`there is no file ${file}`);
      let damages = 0;
      checkBase(file, base, (damage) => {
        if (damages === 0)
          console.log(
            `${base}: damaged: put ${file} back from a backup, or move it away and load the base again`,
          );
        damages += 1;
        console.log(`${base}: ${damage}`);
      });
      console.log(
        damages === 0
          ? `${base}: sound`
          : `${base}: damaged, in ${damages} ${damages === 1 ? 'place' : 'places'}`,
      );
      if (damages > 0) process.exitCode = 1;
      return Promise.resolve();
    }),
  );

await command.parseAsync();
