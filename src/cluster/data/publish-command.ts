import { Argument } from 'commander';
import { readConfig } from '../../config/config.ts';
import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import { systemClock } from '../../clock.ts';
import { operatorCommand } from '../../process/command.ts';
import { PlainError, runPlainly } from '../../process/fail.ts';
import { withCluster } from '../for-command.ts';
import { publishFile } from './published.ts';
import { DATA_BUCKET, Registry } from './registry.ts';

process.umask(0o077);

await operatorCommand(
  'publish',
  'Publish a base as it is now: nodes of the cluster fetch what has changed, and serve it.',
  'NATS_URL names the servers of the cluster, FILES_URL where nodes reach\n`bun run files`.',
)
  .addArgument(new Argument('<base>', 'the base to publish').choices(BASES))
  .action((base: string) => runPlainly('publish', () => publish(base)))
  .parseAsync();

async function publish(base: string): Promise<void> {
  if (!isOneOf(BASES, base)) throw new PlainError(`no base ${base}`);
  const config = readConfig();
  const url = config.files_url.replace(/\/+$/u, '');
  if (config.nats_url.length === 0) throw new PlainError('NATS_URL: is needed; it names the NATS servers');
  if (!/^https?:\/\/[^\s/]+$/u.test(url)) {
    throw new PlainError('FILES_URL: is needed, as https://HOST:PORT: where nodes reach `bun run files`');
  }
  const { generation, decisions, bytes } = await withCluster(config, 'publisher', async (open) => {
    const bucket = await open(DATA_BUCKET, false);
    const registry = new Registry({ bucket, clock: systemClock, node: 'publisher' });
    return publishFile(config.data_dir, base, url, new Date(), async (manifest) => {
      if (await registry.publish(manifest)) return;
      throw new PlainError(
        `${base}: a generation above ${manifest.generation} was published from elsewhere, and replicas only go forward`,
      );
    });
  });
  const megabytes = (bytes / 1_000_000).toFixed(1);
  console.log(`${base}: generation ${generation} published, ${decisions} decisions, ${megabytes} MB`);
}
