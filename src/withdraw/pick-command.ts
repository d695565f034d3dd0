import type { Command } from 'commander';
import { operatorCommand } from '../process/command.ts';
import { keyOption, type PickOptions } from './picks.ts';
import { LOG_NAME } from './withdraw.ts';

type Options = PickOptions & { readonly reason?: string };
type PickCommand = Omit<Command, 'action'> & {
  action: (act: (names: string[], options: Options) => Promise<void>) => Command;
};

/** A command that names decisions. @param note shown below its help. */
export function pickCommand(name: string, description: string, note: string): PickCommand {
  process.umask(0o077);
  return operatorCommand(name, description, note)
    .argument('[id...]', 'decisions, like stj:968')
    .option('--key <base:key>', 'one by the key of its source; may be given several times', keyOption)
    .option('--file <list>', 'a list of ids, one a line; - is standard input')
    .option('--reason <text>', `why: kept in DATA_DIR/${LOG_NAME}, without any text of the decision`);
}
