import { Argument } from 'commander';
import { readConfig } from '../../config/config.ts';
import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import { operatorCommand } from '../../process/command.ts';
import { runPlainly } from '../../process/fail.ts';
import { publish } from './publish.ts';
import { writableStoreAt } from './store.ts';

process.umask(0o077);

await operatorCommand(
  'publish',
  'Publish bases as they are now: replicas that follow the place fetch and serve them.',
  'A place is a folder, or s3://BUCKET/PATH with the access in S3_ENDPOINT,\nS3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
)
  .addArgument(new Argument('<base...>', 'bases to publish').choices(BASES))
  .option('--to <place>', 'where to (default: BASES_URL)')
  .option('--purge', 'keep no file but the new one, so that what is not in it can be fetched no more')
  .action((bases: string[], { to, purge = false }: { to?: string; purge?: boolean }) =>
    runPlainly('publish', async () => {
      const config = readConfig();
      const store = writableStoreAt(to ?? config.bases_url);
      for (const base of bases.filter((name) => isOneOf(BASES, name))) {
        const { manifest, isNew } = await publish(config.data_dir, base, store, purge);
        const { file, decisions, bytes } = manifest;
        const size = `${decisions} decisions, ${(bytes / 1e6).toFixed(1)} MB`;
        console.log(isNew ? `Published ${file}: ${size}` : `Nothing new: ${file} is published (${size})`);
      }
    }),
  )
  .parseAsync();
