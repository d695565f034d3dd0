import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The test files of a part, quickest first, by the start of its path; the longest start counts. Every one of them
 * runs on a change that those before it do not notice, so each is near and short: no whole folder.
 */
export const TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/query/': [
    'test/query/query.test.ts',
    'test/http/busca-texto.test.ts',
    'test/http/termos-ausentes.test.ts',
    'test/docs/search-syntax.test.ts',
    'test/index/read/evaluate.test.ts',
  ],
  'src/query/cursor.ts': ['test/search/supervisor.test.ts', 'test/http/paginacao.test.ts'],
  'src/query/id.ts': ['test/http/decisao.test.ts'],
  'src/query/parameters.ts': ['test/http/busca-parametros.test.ts', 'test/http/busca-filtros.test.ts'],
  'src/query/query-string.ts': ['test/http/busca-parametros.test.ts', 'test/http/busca-filtros.test.ts'],
  'src/query/selection.ts': ['test/http/busca-filtros.test.ts', 'test/http/busca-parametros.test.ts'],
  'src/index/format/': [
    'test/index/write/posting-writer.test.ts',
    'test/index/write/posting-store.test.ts',
    'test/index/second-reader.test.ts',
    'test/index/check/damage.test.ts',
  ],
  'src/index/format/bm25f.ts': ['test/index/second-reader.test.ts', 'test/index/read/relevance.test.ts'],
  'src/index/format/file-check.ts': ['test/index/read/connection.test.ts', 'test/engine/look.test.ts'],
  'src/index/format/terms.ts': [
    'test/index/write/posting-writer.test.ts',
    'test/index/second-reader.test.ts',
    'test/index/check/damage.test.ts',
  ],
  'src/index/format/syntax-check.ts': ['test/query/query.test.ts', 'test/http/busca-texto.test.ts'],
  'src/index/format/term-vector.ts': ['test/index/read/relevance.test.ts', 'test/index/check/damage.test.ts'],
  'src/index/write/': [
    'test/index/write/posting-writer.test.ts',
    'test/index/write/posting-store.test.ts',
    'test/index/write/many-words.test.ts',
    'test/index/second-reader.test.ts',
    'test/index/read/relevance.test.ts',
  ],
  'src/index/write/base-file.ts': ['test/ingest/kinds.test.ts'],
  'src/index/write/base-writer.ts': [
    'test/index/write/posting-writer.test.ts',
    'test/index/read/relevance.test.ts',
    'test/index/second-reader.test.ts',
  ],
  'src/index/write/made-up.ts': ['test/ingest/kinds.test.ts'],
  'src/index/read/': [
    'test/index/read/newest.test.ts',
    'test/index/read/phrases.test.ts',
    'test/index/read/evaluate.test.ts',
    'test/index/read/relevance.test.ts',
  ],
  'src/index/read/filters.ts': [
    'test/index/read/evaluate.test.ts',
    'test/http/busca-filtros.test.ts',
    'test/index/read/relevance.test.ts',
  ],
  'src/index/read/coverage.ts': ['test/search/coverage.test.ts', 'test/engine/port.conformance.test.ts'],
  'src/index/read/search.ts': [
    'test/index/read/newest.test.ts',
    'test/index/read/evaluate.test.ts',
    'test/index/read/relevance.test.ts',
    'test/engine/port.conformance.test.ts',
    'test/http/paginacao.test.ts',
    'test/http/termos-ausentes.test.ts',
  ],
  'src/index/read/rows.ts': ['test/http/decisao.test.ts', 'test/http/paginacao.test.ts'],
  'src/index/check/': ['test/index/check/damage.test.ts'],
  'src/index/check/command.ts': [],
  'src/search/': ['test/search/supervisor.test.ts', 'test/http/paginacao.test.ts'],
  'src/search/coverage': ['test/search/coverage.test.ts', 'test/http/cobertura.test.ts'],
  'src/shared/quota.ts': ['test/http/cota.test.ts'],
  'src/search/stored-coverage.ts': ['test/search/coverage.test.ts', 'test/http/cobertura.test.ts'],
  'src/engine/': [
    'test/engine/base-actor.test.ts',
    'test/engine/result-cache.test.ts',
    'test/engine/base-watch.test.ts',
    'test/engine/expensive-work.test.ts',
    'test/engine/ledger.test.ts',
    'test/engine/health.test.ts',
    'test/engine/mailbox.test.ts',
    'test/engine/resizable-port.test.ts',
    'test/engine/idle-threads.test.ts',
    'test/engine/look.test.ts',
    'test/observe/metrics/base-metrics.test.ts',
    'test/search/supervisor.test.ts',
  ],
  'src/engine/piscina-port.ts': [
    'test/engine/idle-threads.test.ts',
    'test/engine/look.test.ts',
    'test/engine/port.conformance.test.ts',
    'test/tools/faults/threads.test.ts',
  ],
  'src/engine/cancel.ts': [
    'test/engine/idle-threads.test.ts',
    'test/engine/look.test.ts',
    'test/engine/port.conformance.test.ts',
    'test/tools/faults/abandoned.test.ts',
  ],
  'src/engine/thread-pool.ts': [
    'test/engine/idle-threads.test.ts',
    'test/engine/look.test.ts',
    'test/engine/port.conformance.test.ts',
    'test/tools/faults/threads.test.ts',
  ],
  'src/engine/messages.ts': [
    'test/engine/base-actor.test.ts',
    'test/cluster/remote-base.test.ts',
    'test/engine/port.conformance.test.ts',
  ],
  'src/engine/requests.ts': [
    'test/engine/base-actor.test.ts',
    'test/cluster/remote-base.test.ts',
    'test/engine/port.conformance.test.ts',
  ],
  'src/engine/outcome.ts': [
    'test/engine/base-actor.test.ts',
    'test/cluster/remote-base.test.ts',
    'test/engine/port.conformance.test.ts',
  ],
  'src/engine/port.ts': [
    'test/engine/idle-threads.test.ts',
    'test/engine/base-actor.test.ts',
    'test/cluster/remote-base.test.ts',
    'test/engine/port.conformance.test.ts',
  ],
  'src/index/read/connection.ts': ['test/engine/look.test.ts', 'test/engine/port.conformance.test.ts'],
  'src/index/format/schema.ts': ['test/index/second-reader.test.ts'],
  'src/index/format/record.ts': ['test/index/second-reader.test.ts', 'test/http/decisao.test.ts'],
  'src/index/format/tokens.ts': ['test/index/read/relevance.test.ts'],
  'src/index/write/kinds.ts': ['test/ingest/kinds.test.ts'],
};

/** The tests of a file: that of the same name, then those of its part, else all of the same folder. */
export function testsOf(root: string, file: string): string[] {
  const folder = dirname(file).replace(/^src/u, 'test');
  const own = join(folder, basename(file).replace(/\.ts$/u, '.test.ts'));
  const part = Object.keys(TESTS)
    .filter((start) => file.startsWith(start))
    .reduce((longest, start) => (start.length > longest.length ? start : longest), '');
  const found = [...(existsSync(join(root, own)) ? [own] : []), ...(TESTS[part] ?? [])];
  if (found.length > 0) return [...new Set(found)];
  if (!existsSync(join(root, folder))) return [];
  const all = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'));
  return all.map((name) => join(folder, name));
}
