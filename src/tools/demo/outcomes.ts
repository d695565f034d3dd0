/** How a case may end: as the headline closes, as the reasons close, and as the court's order says it. */
export interface Outcome {
  readonly headline: string;
  readonly sentence: string;
  readonly verdict: string;
}

const RECURSO = outcomes(`
RECURSO DESPROVIDO|Recurso desprovido|negar provimento ao recurso
RECURSO CONHECIDO E NÃO PROVIDO|Recurso conhecido e não provido|conhecer do recurso e negar-lhe provimento
RECURSO PROVIDO|Recurso provido|dar provimento ao recurso
RECURSO PARCIALMENTE PROVIDO|Recurso parcialmente provido|dar parcial provimento ao recurso
RECURSO NÃO CONHECIDO|Recurso não conhecido|não conhecer do recurso
SENTENÇA MANTIDA|Recurso desprovido, mantida a sentença|negar provimento ao recurso
DECISÃO REFORMADA|Recurso provido para reformar a decisão|dar provimento ao recurso`);
const BY_CLASS: readonly (readonly [classWord: RegExp, outcomes: readonly Outcome[]])[] = [
  [
    /\bEMBARGOS DE DECLARAÇÃO/u,
    outcomes(`
EMBARGOS REJEITADOS|Embargos de declaração rejeitados|rejeitar os embargos de declaração
EMBARGOS ACOLHIDOS EM PARTE|Embargos de declaração acolhidos em parte, sem efeito modificativo|acolher em parte os embargos de declaração
EMBARGOS NÃO CONHECIDOS|Embargos de declaração não conhecidos|não conhecer dos embargos de declaração`),
  ],
  [
    /\bEMBARGOS/u,
    outcomes(`
EMBARGOS DESPROVIDOS|Embargos desprovidos|negar provimento aos embargos
EMBARGOS NÃO CONHECIDOS|Embargos não conhecidos|não conhecer dos embargos`),
  ],
  [
    /\bAGRAVO/u,
    outcomes(`
AGRAVO DESPROVIDO|Agravo desprovido|negar provimento ao agravo
AGRAVO PROVIDO|Agravo provido|dar provimento ao agravo
AGRAVO NÃO CONHECIDO|Agravo não conhecido|não conhecer do agravo
AGRAVO A QUE SE NEGA PROVIMENTO|Agravo a que se nega provimento|negar provimento ao agravo`),
  ],
  [
    /\bHABEAS/u,
    outcomes(`
ORDEM DENEGADA|Ordem denegada|denegar a ordem
ORDEM CONCEDIDA|Ordem concedida|conceder a ordem
HABEAS CORPUS NÃO CONHECIDO|Habeas corpus não conhecido|não conhecer do habeas corpus`),
  ],
  [
    /\bMANDADO/u,
    outcomes(`
SEGURANÇA CONCEDIDA|Segurança concedida|conceder a segurança
SEGURANÇA DENEGADA|Segurança denegada|denegar a segurança`),
  ],
  [
    /\bA(?:ÇÃO|RGUIÇÃO)/u,
    outcomes(`
PEDIDO PROCEDENTE|Pedido julgado procedente|julgar procedente o pedido
PEDIDO IMPROCEDENTE|Pedido julgado improcedente|julgar improcedente o pedido
PEDIDO PROCEDENTE EM PARTE|Pedido julgado procedente em parte|julgar procedente em parte o pedido`),
  ],
  [
    /\bRECLAMAÇÃO/u,
    outcomes(`
RECLAMAÇÃO IMPROCEDENTE|Reclamação julgada improcedente|julgar improcedente a reclamação
RECLAMAÇÃO PROCEDENTE|Reclamação julgada procedente|julgar procedente a reclamação`),
  ],
  [
    /\bUNIFORMIZAÇÃO/u,
    outcomes(`
PEDIDO NÃO CONHECIDO|Pedido de uniformização não conhecido|não conhecer do pedido de uniformização
PEDIDO CONHECIDO E PROVIDO|Pedido de uniformização conhecido e provido|dar provimento ao pedido de uniformização
INCIDENTE DESPROVIDO|Incidente de uniformização desprovido|negar provimento ao incidente`),
  ],
];

/** How a case of this class (in capitals) may end. */
export function outcomesOf(className: string): readonly Outcome[] {
  return BY_CLASS.find(([classWord]) => classWord.test(className))?.[1] ?? RECURSO;
}

function outcomes(text: string): readonly Outcome[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [headline = '', sentence = '', verdict = ''] = line.split('|');
      return { headline, sentence, verdict };
    });
}
