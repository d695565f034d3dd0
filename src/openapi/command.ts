import { Command } from 'commander';
import { openApiDocument, SERVER_DEFAULT } from './document.ts';

await new Command('openapi')
  .description('Print the OpenAPI 3.1 document of the public API, as JSON.')
  .option('--server <url>', 'address of the service that the document names', SERVER_DEFAULT)
  .showHelpAfterError('(run with --help for the usage)')
  .action(({ server }: { server: string }) => {
    console.log(JSON.stringify(openApiDocument(server), null, 2));
  })
  .parseAsync();
