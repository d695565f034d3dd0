import { Command } from 'commander';
import { VISIBLE_ERRORS } from './visible.ts';

/** A command of the operator. @param note shown below its help. */
export function operatorCommand(name: string, description: string, note = ''): Command {
  return new Command(name)
    .description(description)
    .addHelpText('after', note === '' ? '' : `\n${note}`)
    .configureOutput(VISIBLE_ERRORS)
    .showHelpAfterError('(run with --help for the usage)');
}
