import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { Command } from 'commander';
import { runPlainly } from '../../process/fail.ts';
import { listenPlainly } from '../../process/listen.ts';
import { whole } from '../../process/option-values.ts';
import { serviceVersion } from '../../process/version.ts';
import { serviceAccess } from '../access/service-access.ts';
import { VISIBLE_ERRORS } from '../../process/visible.ts';
import { createServer } from './server.ts';
import { serveToTheEnd } from './stdio.ts';

const HOST = '127.0.0.1';
const PORT_DEFAULT = 3100;
const PORT_MAX = 65_535;
const BODY_BYTES_MAX = 64 * 1024;
const PATH = '/mcp';

await new Command('mcp')
  .description('Serve the search to assistants by the Model Context Protocol, on standard input and output.')
  .option(
    '--http [port]',
    `serve streamable HTTP on ${HOST} instead (${PORT_DEFAULT}; 0: any free one)`,
    whole(0, PORT_MAX),
  )
  .addHelpText(
    'after',
    '\nThe service and the key: JURISPRUDENCIA_URL and JURISPRUDENCIA_KEY, or\nclient.toml.',
  )
  .configureOutput(VISIBLE_ERRORS)
  .showHelpAfterError('(run with --help for the usage)')
  .action(({ http }: { http?: number | true }) =>
    runPlainly('mcp', () => {
      const access = serviceAccess();
      const version = serviceVersion();
      if (http === undefined) serveToTheEnd(() => createServer(access, version));
      else serveHttp(() => createServer(access, version), http === true ? PORT_DEFAULT : http);
    }),
  )
  .parseAsync();

/** Accepts only programs on this machine. Rejects web pages that use DNS rebinding. */
function serveHttp(factory: () => ReturnType<typeof createServer>, wanted: number): void {
  const handler = createMcpHandler(factory, { maxRequestBodySize: BODY_BYTES_MAX });
  const answer = (request: Request): Response | Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === PATH
      ? handler.fetch(request)
      : new Response('não há nada aqui; o endereço é /mcp\n', { status: 404 }));
  const place = { host: HOST, port: wanted, hostEnv: 'HOST', portEnv: '--http', freePort: PORT_DEFAULT + 1 };
  listenPlainly(() => {
    const server = Bun.serve({
      hostname: HOST,
      port: wanted,
      maxRequestBodySize: BODY_BYTES_MAX,
      fetch: answer,
    });
    console.log(`MCP at http://${HOST}:${server.port}${PATH}`);
  }, place);
}
