import type { Posicao, SearchReply } from '../engine/messages.ts';
import type { Failure } from '../engine/outcome.ts';
import type { Base, Ordem } from '../contract/vocabulary.ts';

/** What one base gave for a page, or why it gave nothing. */
export interface BaseAnswer {
  readonly base: Base;
  /** Where the reader stood before this page; null on a base that has not answered yet. */
  readonly posicao: Posicao | null;
  readonly ordem_aplicada: Ordem;
  readonly startedAt: number;
  /** When the base must be done with everything, on the clock's `now`. */
  readonly until: number;
  /** With fractions. */
  ms: number;
  result: SearchReply | Failure;
}
