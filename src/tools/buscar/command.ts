#!/usr/bin/env -S bun --no-env-file --config=/dev/null
// Without these options Bun reads `.env` and runs the `preload` of a `bunfig.toml` in the current folder, which may be anyone's.
import { setTimeout } from 'node:timers/promises';
import tab from '@bomb.sh/tab/commander';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Jurisprudencia, type PedidoDeBusca } from '../../client/client.ts';
import { PlainError } from '../../process/fail.ts';
import { TRIBUNAIS } from '../../contract/catalog.ts';
import {
  BASES,
  ID_PATTERN,
  LIMITE_MAX,
  ORDENS,
  TIPOS,
  type Ordem,
  type Tipo,
} from '../../contract/vocabulary.ts';
import { MCP_HOST, MCP_PORT_DEFAULT, mcpPort } from '../mcp/options.ts';
import { serviceAccess, withMend, type ServiceAccess } from '../access/service-access.ts';
import { versioned } from '../../process/command.ts';
import { onSignals } from '../../process/signals.ts';
import { asked, translated, type Sent } from './court-language.ts';
import { checkFile } from './check-file.ts';
import { CHECK_EXIT, EXIT, reportFailure } from './exit.ts';
import { write, type Format } from './outputs.ts';
import { inPortuguese } from './portuguese.ts';
import { search } from './search.ts';
import { coverageText, noteText, recordText } from './text.ts';

interface SearchFlags {
  readonly tribunal?: string;
  readonly uf?: string;
  readonly ramo?: string;
  readonly tipo?: Tipo;
  readonly desde?: string;
  readonly ate?: string;
  readonly ordem?: Ordem;
  readonly limite?: number;
  readonly traduzir?: true;
  readonly pergunta?: true;
  readonly todas?: true;
  readonly abrir?: number | true;
  readonly json?: true;
  readonly jsonl?: true;
  readonly csv?: true;
}

const RETRIES = 1;
const WAIT_MS_MAX = 60_000;
const NOT_YET = 'os totais vêm minutos depois do início do serviço';
const controller = new AbortController();
const { signal } = controller;
let access: ServiceAccess | null = null;
let isWaitAnnounced = false;
onSignals(['SIGINT', 'SIGTERM'], {
  first: () => {
    controller.abort();
  },
  again: () => process.exit(EXIT.interrupted),
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe, for example `head`.
  if (error.code === 'EPIPE') process.exit(EXIT.found);
  throw error;
});

const program = inPortuguese(new Command('jurisprudencia'))
  .description('Busca em decisões publicadas dos tribunais brasileiros e lê o registro de uma decisão.')
  .addHelpText(
    'after',
    `
O serviço e a chave: JURISPRUDENCIA_URL e JURISPRUDENCIA_KEY, ou url e key em
~/.config/jurisprudencia/client.toml; a chave só vai ao endereço que está com
ela.
Códigos de saída: 0 achou, 1 nada achou, 2 pedido errado, 3 chave, 4 cota ou
limite, 5 sem resposta, 6 resposta parcial (alguma base não respondeu),
130 interrompido.`,
  )
  .showHelpAfterError('(--help mostra o uso)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.found : EXIT.usage));

program
  .command('buscar')
  .description('buscar decisões; as palavras têm de aparecer todas, como estão')
  .argument('<texto...>', 'palavras, ou a sintaxe de busca: \'"dano moral" AND (plano OR planos)\'')
  .option('--tribunal <lista>', `tribunais, com vírgulas: ${among('codigo')}`)
  .option('--uf <lista>', `estados, com vírgulas: ${among('uf')}; BR são os tribunais nacionais`)
  .option('--ramo <lista>', `ramos da Justiça, com vírgulas: ${among('ramo')}`)
  .addOption(new Option('--tipo <tipo>', 'tipo da decisão').choices(TIPOS))
  .option('--desde <data>', 'julgadas desde AAAA-MM-DD')
  .option('--ate <data>', 'julgadas até AAAA-MM-DD')
  .addOption(new Option('--ordem <ordem>', 'ordem').choices(ORDENS))
  .option('--limite <n>', `decisões por página, até ${LIMITE_MAX}`, wholeNumber)
  .option(
    '--traduzir',
    'ler o texto como as páginas dos tribunais (e, ou, não, adj5, $) e enviar o FTS5 disso',
  )
  .addOption(
    new Option(
      '--pergunta',
      'o texto é uma pergunta: enviar suas palavras, com as formas delas, juntas por OR',
    ).conflicts('traduzir'),
  )
  .addOption(new Option('--todas', 'todas as páginas, com progresso').conflicts('abrir'))
  .addOption(
    new Option('--abrir [n]', 'o registro da primeira decisão, ou da enésima')
      .argParser(wholeNumber)
      .conflicts('csv'),
  )
  .addOption(
    new Option('--json', 'a página em JSON (com --todas, uma lista de páginas)').conflicts(['jsonl', 'csv']),
  )
  .addOption(new Option('--jsonl', 'uma decisão por linha, em JSON').conflicts(['json', 'csv']))
  .addOption(new Option('--csv', 'uma decisão por linha, em CSV').conflicts(['json', 'jsonl']))
  .action((words: string[], flags: SearchFlags) => plainly(() => searchAs(words.join(' '), flags)));

program
  .command('decisao')
  .description('ler o registro de uma decisão: metadados e ementa, nunca o inteiro teor')
  .argument('<id>', 'como veio na busca: stj:123')
  .option('--json', 'em JSON')
  .action((id: string, { json }: { json?: true }) =>
    plainly(async () => {
      if (!new RegExp(ID_PATTERN, 'u').test(id))
        throw new PlainError(
          `${id} não é um id; escreva base:número, como stj:123, com a base ${BASES.join(', ')}`,
        );
      const record = await client().decisao(id, { signal });
      await write(`${json === true ? JSON.stringify(record) : recordText(record, (text) => text)}\n`);
      return EXIT.found;
    }),
  );

program
  .command('conferir')
  .description('conferir as citações de jurisprudência de um texto nas bases')
  .argument('<arquivo>', 'texto, .docx, ou - para a entrada padrão')
  .option('--json', 'uma linha por citação, em JSON')
  .addHelpText(
    'after',
    `
De cada citação diz: confere; diverge (juiz, data, tribunal ou classe não são os
da base); não está nesta base, o que não prova que não existe; base sem
resposta; ambígua (pode ser uma destas); não lida (parece uma citação).
Só os números saem da máquina, e com os curtos a sigla da classe. Cada citação
gasta até duas unidades da cota.
O órgão julgador e o que o texto transcreve não são comparados.

Códigos de saída, só deste comando: 0 todas conferem, 1 pedido errado, 2 alguma
não confere, 3 chave, 4 cota ou limite, 5 sem resposta, 130 interrompido.`,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? CHECK_EXIT.confirmed : CHECK_EXIT.usage))
  .action((file: string, { json }: { json?: true }) =>
    plainly(() => checkFile(client(), file, { isJson: json === true, signal }), CHECK_EXIT.usage),
  );

program
  .command('cobertura')
  .description('mostrar o que cada base tem')
  .option('--json', 'em JSON')
  .action(({ json }: { json?: true }) =>
    plainly(async () => {
      const coverage = await client().cobertura({ signal });
      await write(`${json === true ? JSON.stringify(coverage) : coverageText(coverage)}\n`);
      if (coverage.bases.some(({ calculado }) => !calculado)) process.stderr.write(`${NOT_YET}\n`);
      return EXIT.found;
    }),
  );

program
  .command('mcp')
  .description('servir a busca a assistentes (Model Context Protocol), na entrada e na saída padrão')
  .option('--http [porta]', `servir em http://${MCP_HOST}:${MCP_PORT_DEFAULT}/mcp; 0: porta livre`, mcpPort)
  .action(({ http }: { http?: number | true }) =>
    plainly(async () => {
      signal.addEventListener('abort', () => process.exit(EXIT.interrupted));
      // Its libraries would more than double the start of a search.
      const { serveMcp } = await import('../mcp/serve.ts');
      serveMcp(http);
      return EXIT.found;
    }),
  );

for (const one of [program, ...program.commands]) versioned(one, 'mostrar a versão');
tab(program);
program.commands
  .find((one) => one.name() === 'complete')
  ?.description('escrever o que o shell precisa para completar com TAB');
// The usage names what was typed: a script of the project's, not the linked program.
if (program.commands.some((one) => one.name() === process.env['npm_lifecycle_event']))
  program.name('bun run');
await program.parseAsync();

function among(property: 'codigo' | 'uf' | 'ramo'): string {
  return [...new Set(TRIBUNAIS.map((one) => one[property]))].join(',');
}

function searchAs(q: string, flags: SearchFlags): Promise<number> {
  const { tribunal, uf, ramo, tipo, desde, ate, ordem, limite, abrir } = flags;
  const typed = { q, tribunal, uf, ramo, tipo, data_de: desde, data_ate: ate, ordem, limite };
  const { pedido, lines } = sentFor(typed, flags);
  for (const line of lines) process.stderr.write(noteText(line));
  return search(client(), pedido, {
    format: formatOf(flags),
    todas: flags.todas === true,
    abrir: abrir === true ? 1 : (abrir ?? null),
    signal,
  });
}

function sentFor(typed: PedidoDeBusca, { pergunta, traduzir }: SearchFlags): Sent {
  if (pergunta === true) return asked(typed);
  return traduzir === true ? translated(typed) : { pedido: typed, lines: [] };
}

function formatOf({ json, jsonl, csv }: SearchFlags): Format {
  if (json === true) return 'json';
  if (jsonl === true) return 'jsonl';
  return csv === true ? 'csv' : 'text';
}

function client(): Jurisprudencia {
  access = serviceAccess();
  return new Jurisprudencia({ ...access, retries: RETRIES, waitMsMax: WAIT_MS_MAX, wait: waitAloud });
}

/** The first wait for the service's limit of requests is announced: it would look like a hang. */
async function waitAloud(ms: number, end: AbortSignal | undefined): Promise<void> {
  const text = `limite de pedidos: espero ${Math.ceil(ms / 1_000)} s (Ctrl-C desiste)\n`;
  // The progress bar may stand on the line.
  if (!isWaitAnnounced) process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${text}` : text);
  isWaitAnnounced = true;
  await setTimeout(ms, undefined, { signal: end });
}

async function plainly(work: () => Promise<number>, usage: number = EXIT.usage): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    reportFailure(access === null ? error : withMend(error, access), signal, usage);
  }
}

function wholeNumber(text: string): number {
  const number = /^[1-9]\d{0,3}$/u.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw new InvalidArgumentError('Tem de ser um número inteiro a partir de 1.');
  return number;
}
