import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../process/fail.ts';
import { Program } from './program.ts';

/** The path of nats-server: `NATS_SERVER`, else from `PATH`. @throws PlainError with how to install it. */
export function findNatsServer(): string {
  const named = process.env['NATS_SERVER'] ?? '';
  const found = named === '' ? Bun.which('nats-server') : named;
  if (found !== null && existsSync(found)) return found;
  throw new PlainError(
    'nats-server is not in PATH; get it with: go install github.com/nats-io/nats-server/v2@v2.15.2, or from https://github.com/nats-io/nats-server/releases',
  );
}

/**
 * Starts nats-server with JetStream on a free loopback port, with the files in a folder.
 * @param onStarted called with the process before it is ready. @throws PlainError if it does not start.
 */
export async function startNatsServer(
  binary: string,
  folder: string,
  onStarted: (program: Program) => void = () => undefined,
): Promise<{ readonly program: Program; readonly url: string }> {
  const config = join(folder, 'nats.conf');
  const lines = [
    'listen: "127.0.0.1:-1"',
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'jetstream'))} }`,
    'max_payload: 4MB',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const program = new Program('nats', [binary, '-c', config], join(folder, 'nats.log'), {});
  onStarted(program);
  const output = await program.says('Server is ready');
  const url = `nats://${/Listening for client connections on (\S+)/u.exec(output)?.[1] ?? ''}`;
  return { program, url };
}
