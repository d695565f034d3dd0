import { readConfig } from '../../config/config.ts';
import { operatorCommand } from '../../process/command.ts';
import { PlainError, explain, runPlainly } from '../../process/fail.ts';
import { makeFolder } from '../../process/files.ts';
import { authority, reachable } from '../../process/listen.ts';
import { onSignals } from '../../process/signals.ts';
import { serveFiles } from './file-server.ts';
import { publishedFolder } from './published.ts';

process.umask(0o077);

await operatorCommand(
  'files',
  'Serve published base files to the nodes of the cluster, until it is stopped.',
  'FILES_HOST and FILES_PORT say where; with NATS_CA, NATS_CERT and NATS_KEY over\nTLS.',
)
  .action(() => runPlainly('files', serve))
  .parseAsync();

function serve(): void {
  const config = readConfig();
  const { files_host: host, files_port: port } = config;
  const folder = publishedFolder(config.data_dir);
  makeFolder(folder);
  const server = listen(() => serveFiles(folder, { host, port }, config));
  const scheme = config.nats_cert === '' ? 'http' : 'https';
  console.log(`Serving ${folder} at ${scheme}://${authority(reachable(host), server.port ?? port)}`);
  console.log('Ctrl-C stops it.');
  onSignals(['SIGINT', 'SIGTERM'], {
    first: () => void server.stop().then(() => process.exit(0)),
    again: () => process.exit(1),
  });
}

/** @throws PlainError */
function listen(start: () => Bun.Server<undefined>): Bun.Server<undefined> {
  try {
    return start();
  } catch (error) {
    throw new PlainError(`FILES_HOST, FILES_PORT: cannot listen there: ${explain(error)}`);
  }
}
