import { INDEXED_FIELDS } from './bm25f.ts';

/** The tokenizer whose words the index has. `tokens.ts` does the same in TypeScript. */
export const TOKENIZER = 'unicode61 remove_diacritics 2';

/** A table in memory with the columns of the index: FTS5's parser refuses queries with it, and tests search it. */
export const FTS5_SQL = `
  CREATE VIRTUAL TABLE fts USING fts5(${INDEXED_FIELDS.join(', ')}, content = '', tokenize = "${TOKENIZER}")
`;
