import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { operatorCommand } from '../process/command.ts';
import { PlainError, runPlainly } from '../process/fail.ts';
import { createAtomically, makeFolder, writeAtomically } from '../process/files.ts';
import { accountsText, makeNkey, nkeyOf, type Member } from './users.ts';

process.umask(0o077);

interface Options {
  readonly fronts: readonly string[];
  readonly nodes: readonly string[];
}

await operatorCommand(
  'cluster-users',
  'Make a NATS user for each process of a cluster: its secret, and what the servers are to know of all.',
  'A secret that is there already stays. The publisher and the operator have one\neach, too.\n' +
    'Each process gets its own NAME.nk alone (NATS_CREDS); users.conf goes to the\nservers.',
)
  .argument('<folder>', 'where NAME.nk of each and users.conf are written')
  .requiredOption('--fronts <names>', 'NODE_NAME of each front, separated by commas', names)
  .requiredOption('--nodes <names>', 'NODE_NAME of each process with ROLE=base', names)
  .action((folder: string, options: Options) =>
    runPlainly('cluster-users', () => {
      makeUsers(folder, options);
    }),
  )
  .parseAsync();

function makeUsers(folder: string, { fronts, nodes }: Options): void {
  makeFolder(folder);
  const members: Member[] = [
    ...fronts.map((name) => ({ role: 'front', name }) as const),
    ...nodes.map((name) => ({ role: 'base', name }) as const),
    { role: 'publisher', name: 'publisher' },
    { role: 'operator', name: 'operator' },
  ];
  const twice = members.find(({ name }, at) => members.findIndex((one) => one.name === name) < at);
  if (twice !== undefined)
    throw new PlainError(`${twice.name} is there twice; each process needs its own name`);
  const users = members.map((member) => ({ ...member, user: userIn(join(folder, `${member.name}.nk`)) }));
  const file = join(folder, 'users.conf');
  writeAtomically(file, accountsText(users));
  for (const { name } of members) console.log(join(folder, `${name}.nk`));
  console.log(file);
}

/** The user of the secret in a file, which is made if it is missing. */
function userIn(file: string): string {
  if (existsSync(file)) return nkeyOf(readFileSync(file, 'utf8').trim());
  const { seed, user } = makeNkey();
  createAtomically(file, `${seed}\n`);
  return user;
}

function names(text: string): string[] {
  const list = text.split(',').map((name) => name.trim());
  if (list.every((name) => /^[\w-]{1,64}$/u.test(name))) return list;
  throw new InvalidArgumentError('Each name has 1 to 64 letters, digits, - or _.');
}
