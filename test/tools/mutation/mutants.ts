import { Rng } from '../../../src/tools/demo/rng.ts';

export interface Mutant {
  readonly at: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Operators with spaces around them, as the formatter writes them: those of types have none, or stand in type lines. */
const OPERATORS: Readonly<Record<string, string>> = {
  ' === ': ' !== ',
  ' !== ': ' === ',
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' + ': ' - ',
  ' - ': ' + ',
  ' * ': ' / ',
  ' / ': ' * ',
  ' ?? ': ' && ',
};
const CONSTANTS: Readonly<Record<string, string>> = { true: 'false', false: 'true' };
const PLACES =
  / (?:===|!==|<=|>=|<|>|&&|\|\||\+|-|\*|\/|\?\?) |\b(?:true|false)\b|(?<![\w.$'])\d[\d_]*(?![\w.'])/gu;
/** Imports, types and members of types: a change there is seen by the compiler or by nobody. */
const TYPE_LINE =
  /^\s*(?:import |export type |type |export interface |interface |readonly \w+\??: |readonly #\w+: [^=]*;$|\w+\??: [A-Z]\w*(?:<.*>)?;|\| )/u;

/** Every change of an operator, a constant or a number in the code of a file, comments and texts left out. */
export function mutantsOf(source: string): Mutant[] {
  const code = withoutTexts(source);
  const found: Mutant[] = [];
  let lineAt = 0;
  for (const [index, line] of code.split('\n').entries()) {
    if (!TYPE_LINE.test(line)) {
      for (const match of line.matchAll(PLACES)) {
        const [before] = match;
        const after =
          OPERATORS[before] ?? CONSTANTS[before] ?? String(Number(before.replaceAll('_', '')) + 1);
        found.push({ at: lineAt + match.index, line: index + 1, before, after });
      }
    }
    lineAt += line.length + 1;
  }
  return found;
}

/** So many of them, drawn at random, in the order of the file: a larger draw holds the smaller one. */
export function sampled(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const rng = new Rng(seed);
  return mutants
    .map((mutant) => ({ mutant, drawn: rng.unit() }))
    .toSorted((one, other) => one.drawn - other.drawn)
    .slice(0, count)
    .map(({ mutant }) => mutant)
    .toSorted((one, other) => one.at - other.at);
}

export function mutated(source: string, { at, before, after }: Mutant): string {
  return source.slice(0, at) + after + source.slice(at + before.length);
}

/** Whether a changed text is still a program: what no longer compiles is no change that a test could notice. */
export function isProgram(source: string): boolean {
  try {
    new Bun.Transpiler({ loader: 'ts' }).transformSync(source);
    return true;
  } catch {
    return false;
  }
}

/** The same length, with comments, strings and regular expressions blanked; templates keep their expressions. */
function withoutTexts(source: string): string {
  const texts =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|(?<=[(,=:&|!?[]\s*)\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gu;
  return source.replaceAll(texts, (text) => text.replaceAll(/[^\n]/gu, ' '));
}
