import type { After, SearchReply } from '../engine/messages.ts';
import type { Failure } from '../engine/outcome.ts';
import type { Base, Ordem } from '../contract/vocabulary.ts';

/** The answer of one base for a page, or why there is none. */
export interface BaseAnswer {
  readonly base: Base;
  /** Where the reader stood before this page; null on a base that has not answered yet. */
  readonly after: After | null;
  readonly ordem_aplicada: Ordem;
  readonly startedAt: number;
  /** Deadline for everything that the base does, on the clock's `now`. */
  readonly until: number;
  /** With fractions. */
  ms: number;
  result: SearchReply | Failure;
}
