import { Command } from 'commander';
import { serviceVersion } from './version.ts';
import { VISIBLE_ERRORS } from './visible.ts';

/** A command of the operator. @param note shown below its help. */
export function operatorCommand(name: string, description: string, note = ''): Command {
  return versioned(new Command(name), 'print the version')
    .description(description)
    .addHelpText('after', note === '' ? '' : `\n${note}`)
    .configureOutput(VISIBLE_ERRORS)
    .showHelpAfterError('(run with --help for the usage)');
}

/** Every command has `--version`. */
export function versioned(command: Command, help: string): Command {
  return command.version(serviceVersion(), '-V, --version', help);
}
