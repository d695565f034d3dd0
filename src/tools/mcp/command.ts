import { operatorCommand } from '../../process/command.ts';
import { runPlainly } from '../../process/fail.ts';
import { MCP_HOST, MCP_PORT_DEFAULT, mcpPort } from './options.ts';
import { serveMcp } from './serve.ts';

await operatorCommand(
  'mcp',
  'Serve the search to assistants by the Model Context Protocol, on standard input and output.',
  'The service and the key: JURISPRUDENCIA_URL and JURISPRUDENCIA_KEY, or\nclient.toml.',
)
  .option(
    '--http [port]',
    `serve streamable HTTP on ${MCP_HOST} instead (${MCP_PORT_DEFAULT}; 0: any free one)`,
    mcpPort,
  )
  .action(({ http }: { http?: number | true }) =>
    runPlainly('mcp', () => {
      serveMcp(http);
    }),
  )
  .parseAsync();
