import { operatorCommand } from '../process/command.ts';
import { runPlainly, PlainError } from '../process/fail.ts';
import { whole } from '../process/option-values.ts';
import { visible } from '../process/visible.ts';
import { dataFolder, makeDataFolder, refuseUnwritable } from '../config/config.ts';
import { folderKeys, type KeyStore } from './store.ts';
import { LOCK_WAIT_MS } from '../process/lock.ts';

process.umask(0o077);

const command = operatorCommand(
  'keys',
  'Issue, list and revoke API keys. A running service sees the change within a second.',
  'Keys are stored in the data folder, DATA_DIR (./data), or with NATS_URL in NATS,\nfor all replicas.',
);

command
  .command('issue')
  .description('issue a key and print it alone on the last line; it is shown only once')
  .argument('<name>', 'name of its user: letters, digits, dots, hyphens, underscores')
  .option('--quota <n>', 'searches and record reads allowed in a day', whole(1, 9_999_999_999))
  .action((name: string, { quota }: { quota?: number }) =>
    withStore(async (store) => {
      const key = await store.issue(name, quota ?? null, new Date());
      console.log(`key ${name}, shown this once:`);
      console.log(key);
    }),
  );

command
  .command('list')
  .description('list the keys by name, with quota and dates; never the keys themselves')
  .action(() =>
    withStore((store) => {
      const { keys, damaged } = store.list();
      const width = Math.max(4, ...keys.map(({ name }) => name.length));
      console.log(`${'NAME'.padEnd(width)}  ${'QUOTA'.padStart(10)}  ${'ISSUED'.padEnd(10)}  REVOKED`);
      if (keys.length + damaged.length === 0)
        console.error('keys: there is none; issue one with: bun run keys issue NAME');
      for (const { name, quota_per_day, issued_at, revoked_at } of keys) {
        const quota = quota_per_day === null ? 'default' : String(quota_per_day);
        const dates = `${issued_at.slice(0, 10)}  ${revoked_at?.slice(0, 10) ?? '-'}`;
        console.log(`${name.padEnd(width)}  ${quota.padStart(10)}  ${dates}`);
      }
      for (const { file, reason } of damaged)
        console.error(visible(`keys: ${file} is damaged and grants nothing: ${reason}`));
      if (damaged.length > 0) process.exitCode = 1;
    }),
  );

command
  .command('revoke')
  .description('revoke a key; it stays in the list')
  .argument('<name>', 'the name it was issued under')
  .action((name: string) =>
    withStore(async (store) => {
      const isNew = await store.revoke(name, new Date());
      if (!isNew) throw new PlainError(`${name} is already revoked`);
      console.log(`key ${name} revoked`);
    }),
  );

command
  .command('restore')
  .description(
    'with NATS_URL: put into NATS what it lacks of this data folder: its keys, and its copy of shared keys, settings and secrets',
  )
  .action(() =>
    runPlainly('keys', async () => {
      const { restoreShared } = await overNats();
      console.log(`values put into NATS: ${await restoreShared(dataFolder())}`);
    }),
  );

command
  .command('rotate-cursor-secret')
  .description('with NATS_URL: have all replicas sign cursors with a new secret')
  .action(() =>
    runPlainly('keys', async () => {
      const { rotateCursorSecret } = await overNats();
      await rotateCursorSecret();
      console.log('cursors are signed with a new secret; those signed with the one before are still read');
    }),
  );

await command.parseAsync();

/** The keys of all replicas with `NATS_URL`, else the data folder's. */
function withStore(work: (store: KeyStore) => Promise<void> | void): Promise<void> {
  return runPlainly('keys', async () => {
    if (hasNats()) {
      const { withSharedKeys } = await overNats();
      await withSharedKeys(work);
      return;
    }
    const dataDir = dataFolder();
    const store = folderKeys(dataDir, LOCK_WAIT_MS);
    const issue: KeyStore['issue'] = (...key) => {
      makeDataFolder(dataDir);
      refuseUnwritable(dataDir);
      return store.issue(...key);
    };
    await work({ ...store, issue });
  });
}

function hasNats(): boolean {
  return (process.env['NATS_URL'] ?? '') !== '';
}

/** Loads the code for replicas only if there are some. @throws PlainError */
async function overNats() {
  if (!hasNats()) throw new PlainError('NATS_URL: is needed; it names the NATS servers of the replicas');
  return import('../replicas/for-command.ts');
}
