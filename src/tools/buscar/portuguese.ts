import { Help, type Command } from 'commander';
import { VISIBLE_ERRORS } from '../../process/visible.ts';
import { noteText } from './text.ts';

/** Portuguese for Commander's built-in English texts. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^error: /u, ''],
  [/missing required argument '(.+)'/u, 'falta o argumento $1'],
  [/unknown option '(.+)'/u, 'não há a opção $1'],
  [/unknown command '(.+)'/u, 'não há o comando $1'],
  [
    /too many arguments for '(.+)'\. Expected (\d+) arguments? but got (\d+): (.+)\.$/u,
    'argumentos demais para $1: aceita $2, e vieram $3 ($4)',
  ],
  [/too many arguments\. Expected (\d+) arguments? but got (\d+): (.+)\.$/u, 'argumentos demais: $3'],
  [/option '(.+?)' argument '(.*)' is invalid\./u, '$1 não aceita "$2".'],
  [/command-argument value '(.*)' is invalid for argument '(.+)'\./u, '$2 não aceita "$1".'],
  [/option '(.+)' argument missing/u, 'falta o valor de $1'],
  [/option '(.+)' cannot be used with option '(.+)'/u, '$1 não se usa com $2'],
  [/Allowed choices are (.+)\.$/u, 'Use $1.'],
  [/It must be a whole number from (\d+) to (\d+)\.$/u, 'Use um número inteiro de $1 a $2.'],
  [/^\(Did you mean one of (.+)\?\)$/u, '(quis dizer um destes: $1?)'],
  [/^\(Did you mean (.+)\?\)$/u, '(quis dizer $1?)'],
];

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
};

/** Translates the help and the errors of a command and its later subcommands. */
export function inPortuguese(command: Command): Command {
  const english = new Help();
  return command
    .helpOption('-h, --help', 'mostrar esta ajuda')
    .helpCommand('help [comando]', 'mostrar a ajuda de um comando')
    .configureHelp({
      styleTitle: (title) => TITLES[title] ?? title,
      styleUsage: placeholders,
      styleSubcommandTerm: placeholders,
      optionDescription: (option) => choices(english.optionDescription(option)),
      argumentDescription: (argument) => choices(english.argumentDescription(argument)),
    })
    .configureOutput({
      outputError: (text, write) => {
        VISIBLE_ERRORS.outputError(text, (plain) => {
          write(
            plain
              .trimEnd()
              .split('\n')
              .map((line) => noteText(translated(line)))
              .join(''),
          );
        });
      },
    });
}

function translated(line: string): string {
  return WORDS.reduce((text, [english, portuguese]) => text.replace(english, portuguese), line);
}

function placeholders(text: string): string {
  return text.replace('[options]', '[opções]').replace('[command]', '[comando]');
}

function choices(text: string): string {
  return text.replace('(choices: ', '(um de: ');
}
