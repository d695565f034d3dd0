import { InvalidArgumentError, Option } from 'commander';
import { operatorCommand } from '../process/command.ts';
import { openApiDocument, SERVER_DEFAULT } from './document.ts';
import { asVersion30 } from './version30.ts';

await operatorCommand('openapi', 'Print the OpenAPI document of the public API, as JSON.')
  .option('--server <url>', 'address of the service that the document names', httpUrl, SERVER_DEFAULT)
  .addOption(new Option('--openapi <version>', 'version of OpenAPI').choices(['3.1', '3.0']).default('3.1'))
  .action(({ server, openapi }: { server: string; openapi: '3.1' | '3.0' }) => {
    const document = openApiDocument(server);
    console.log(JSON.stringify(openapi === '3.0' ? asVersion30(document) : document, null, 2));
  })
  .parseAsync();

function httpUrl(text: string): string {
  const isHttp = URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
  if (!isHttp) throw new InvalidArgumentError('It must be an http or https URL.');
  return text;
}
