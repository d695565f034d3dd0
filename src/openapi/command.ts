import { InvalidArgumentError } from 'commander';
import { operatorCommand } from '../process/command.ts';
import { openApiDocument, SERVER_DEFAULT } from './document.ts';

await operatorCommand('openapi', 'Print the OpenAPI 3.1 document of the public API, as JSON.')
  .option('--server <url>', 'address of the service that the document names', httpUrl, SERVER_DEFAULT)
  .action(({ server }: { server: string }) => {
    console.log(JSON.stringify(openApiDocument(server), null, 2));
  })
  .parseAsync();

function httpUrl(text: string): string {
  const isHttp = URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
  if (!isHttp) throw new InvalidArgumentError('It must be an http or https URL.');
  return text;
}
