import { dataFolder } from '../config/config.ts';
import { operatorCommand } from '../process/command.ts';
import { runPlainly } from '../process/fail.ts';
import { keyOption, picksOf, type PickOptions, type Picks } from './picks.ts';
import { LOG_NAME, type Done } from './withdraw.ts';

type Options = PickOptions & { readonly reason?: string };
type Act = (dataDir: string, picks: Picks, reason: string | null) => Done;

/** Runs a command that names decisions. @param note shown below its help. */
export async function runPickCommand(
  name: string,
  description: string,
  note: string,
  act: Act,
): Promise<void> {
  process.umask(0o077);
  await operatorCommand(name, description, note)
    .argument('[id...]', 'decisions, like stj:968')
    .option('--key <base:key>', 'one by the key of its source; may be given several times', keyOption)
    .option('--file <list>', 'a list of ids, one a line; - is standard input')
    .option('--reason <text>', `why: kept in DATA_DIR/${LOG_NAME}, without any text of the decision`)
    .action((names: string[], options: Options) =>
      runPlainly(name, () => {
        const dataDir = dataFolder();
        const { lines, isWhole } = act(dataDir, picksOf(dataDir, names, options), options.reason ?? null);
        for (const line of lines) console.log(line);
        if (!isWhole) process.exitCode = 1;
      }),
    )
    .parseAsync();
}
