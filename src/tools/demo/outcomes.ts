import { readSections, section } from './lists.ts';

/** How a case may end: as the headline closes, as the reasons close, and as the court's order says it. */
export interface Outcome {
  readonly headline: string;
  readonly sentence: string;
  readonly verdict: string;
}

const sections = readSections('outcomes');
const RECURSO = outcomes('recurso');
const BY_CLASS: readonly (readonly [classWord: RegExp, outcomes: readonly Outcome[]])[] = [
  [/\bEMBARGOS DE DECLARAÇÃO/u, outcomes('declaracao')],
  [/\bEMBARGOS/u, outcomes('embargos')],
  [/\bAGRAVO/u, outcomes('agravo')],
  [/\bHABEAS/u, outcomes('habeas')],
  [/\bMANDADO/u, outcomes('mandado')],
  [/\bA(?:ÇÃO|RGUIÇÃO)/u, outcomes('acao')],
  [/\bRECLAMAÇÃO/u, outcomes('reclamacao')],
  [/\bUNIFORMIZAÇÃO/u, outcomes('uniformizacao')],
];

/** How a case of this class (in capitals) may end. */
export function outcomesOf(className: string): readonly Outcome[] {
  return BY_CLASS.find(([classWord]) => classWord.test(className))?.[1] ?? RECURSO;
}

function outcomes(name: string): readonly Outcome[] {
  return section(sections, name)
    .trim()
    .split('\n')
    .map((line) => {
      const [headline = '', sentence = '', verdict = ''] = line.split('|');
      return { headline, sentence, verdict };
    });
}
