import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasNeeded } from '../../support/needed.ts';
import { ownPort } from '../../support/own-port.ts';
import { ROOT, startProgram, type Child } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';
import type { Host } from '../lan.ts';
import { swapped } from '../../support/swapped.ts';
import { until } from '../../tools/faults/support-poll.ts';

const BINARY = '/usr/sbin/nginx';

/** @throws in CI, where it must be there. */
export function hasNginx(): boolean {
  return hasNeeded('nginx', existsSync(BINARY));
}

/** Serves a folder with the site that is shipped, on a host, or here. @returns its address. */
export async function startNginx(
  folder: string,
  { command, address, managed }: Host = { command: [], address: '127.0.0.1', managed: '127.0.0.1' },
): Promise<{ readonly url: string; readonly child: Child }> {
  const port = ownPort();
  const own = temporaryFolder();
  const site = swapped(readFileSync(join(ROOT, 'deploy/replicas/nginx.conf'), 'utf8'), [
    ['listen 8080;', `listen ${port};`],
    ['allow 10.0.0.0/8;', 'allow 198.18.0.0/15;'],
    ['root /srv/bases;', `root "${folder}";`],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const main = `daemon off; master_process off; pid ${own}/pid; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${site} }`;
  const file = join(own, 'nginx.conf');
  writeFileSync(file, main);
  const child = startProgram([...command, BINARY, '-c', file, '-p', own, '-e', 'stderr']);
  await until('nginx answered', async () => {
    child.needRunning();
    return (await fetch(`http://${managed}:${port}/`).catch(() => null))?.status === 404;
  });
  return { url: `http://${address}:${port}/`, child };
}
