import type { Mishap, Reply } from '../../../src/tools/load/http-client.ts';

type Verdict = 'complete' | 'incomplete' | `status ${number}` | Mishap;

/** Classifies a reply. A search is complete if no base is missing. */
export function verdictOf({ result }: Pick<Reply, 'result'>): Verdict {
  if (typeof result === 'string') return result;
  if (result.status !== 200) return `status ${result.status}`;
  const isMissing = result.body.includes('"bases_sem_resposta":[{');
  return isMissing ? 'incomplete' : 'complete';
}
