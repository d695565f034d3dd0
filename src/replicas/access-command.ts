import { InvalidArgumentError } from 'commander';
import { isHost } from '../process/listen.ts';
import { operatorCommand } from '../process/command.ts';
import { runPlainly } from '../process/fail.ts';
import { makeAccess } from './access.ts';

process.umask(0o077);

await operatorCommand(
  'nats-access',
  'Make what replicas and NATS servers need to trust each other: two NKeys,\nusers.conf for the servers, and a certificate for each host.',
  'What is there already stays. replica.nk goes to each replica (NATS_CREDS),\noperator.nk to who runs bun run keys; ca.key stays at home.',
)
  .argument('<folder>', 'where the files are written')
  .argument('[hosts...]', 'host names or addresses of NATS servers, as replicas reach them', host)
  .action((folder: string, hosts: readonly string[]) =>
    runPlainly('nats-access', () => {
      for (const file of makeAccess(folder, hosts)) console.log(file);
    }),
  )
  .parseAsync();

function host(name: string, before: readonly string[] = []): string[] {
  if (isHost(name)) return [...before, name];
  throw new InvalidArgumentError('It is no host name or IP address.');
}
