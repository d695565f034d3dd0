import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { codeOf, PlainError } from '../../process/fail.ts';
import { serviceVersion } from '../../process/version.ts';
import { serviceAccess } from '../access/service-access.ts';
import { MCP_HOST, MCP_PORT_DEFAULT } from './options.ts';
import { createServer } from './server.ts';
import { serveToTheEnd } from './stdio.ts';

const BODY_BYTES_MAX = 64 * 1024;
const PATH = '/mcp';

/** Serves assistants. @param http the port, true for the default, undefined for standard input and output. @throws PlainError */
export function serveMcp(http: number | true | undefined): void {
  const access = serviceAccess();
  const version = serviceVersion();
  if (http === undefined) serveToTheEnd(() => createServer(access, version));
  else serveHttp(() => createServer(access, version), http === true ? MCP_PORT_DEFAULT : http);
}

/** Accepts only programs on this machine. Rejects web pages that use DNS rebinding. */
function serveHttp(factory: () => ReturnType<typeof createServer>, wanted: number): void {
  const handler = createMcpHandler(factory, { maxRequestBodySize: BODY_BYTES_MAX });
  const answer = (request: Request): Response | Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === PATH
      ? handler.fetch(request)
      : new Response('não há nada aqui; o endereço é /mcp\n', { status: 404 }));
  try {
    const at = { hostname: MCP_HOST, port: wanted };
    const { port } = Bun.serve({ ...at, maxRequestBodySize: BODY_BYTES_MAX, fetch: answer });
    console.log(`MCP em http://${MCP_HOST}:${port}${PATH}`);
  } catch (error) {
    const why = `não dá para servir em ${MCP_HOST}:${wanted} (${codeOf(error)})`;
    throw new PlainError(`${why}; dê outra porta, ou --http=0 para uma livre`, { cause: error });
  }
}
