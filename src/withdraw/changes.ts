import { existsSync } from 'node:fs';
import type { Base } from '../contract/vocabulary.ts';
import { baseFile } from '../index/format/schema.ts';
import { readCommit, versionOf } from '../index/format/state.ts';
import { Connector, snapshotOf, type Connection } from '../index/read/connection.ts';
import { PlainError } from '../process/fail.ts';

const NEW_FILE = '0-00000000';
const CHUNK_CHARACTERS = 1 << 16;
const FROM_THE_START = 'without --since you get all changes from the first on';

/**
 * What changed in a base after a data version, as JSON Lines `{"id", "kind", "version"}` in the order of the generations, some
 * lines at a time. No transaction is open between two chunks, so a slow reader keeps no load waiting.
 * @param since null: from the first change on. @throws PlainError if the file never had that version.
 */
export function* changesSince(dataDir: string, base: Base, since: string | null): Generator<string> {
  const file = baseFile(dataDir, base);
  if (!existsSync(file)) throw new PlainError(`there is no file ${file}`);
  const connector = new Connector(file, base);
  try {
    const connection = connector.connection();
    const snapshot = snapshotOf(connection);
    const from = since === null ? 0 : generationOf(connection, base, snapshot, since);
    let docs = from === 0 ? 0 : commitAt(connection, from).docs;
    let chunk = '';
    for (let generation = from + 1; generation <= snapshot.generation; generation += 1) {
      const commit = commitAt(connection, generation);
      const version = versionOf({ generation, mark: commit.mark });
      for (const [id, kind] of changesIn(commit, docs)) {
        chunk += `${JSON.stringify({ id: `${base}:${id}`, kind, version })}\n`;
        if (chunk.length < CHUNK_CHARACTERS) continue;
        yield chunk;
        chunk = '';
      }
      ({ docs } = commit);
    }
    yield chunk;
  } finally {
    connector.close();
  }
}

/** @param docs the highest number before. */
function* changesIn(
  commit: ReturnType<typeof readCommit>,
  docs: number,
): Generator<[number, 'added' | 'replaced' | 'removed']> {
  for (let id = docs + 1; id <= commit.docs; id += 1) yield [id, 'added'];
  for (const id of commit.replaced) yield [id, 'replaced'];
  for (const id of commit.withdrawn) yield [id, 'removed'];
}

function commitAt({ row }: Connection, generation: number) {
  return readCommit(row('commits', generation));
}

/** The generation of a version that the file has or had. */
function generationOf(
  connection: Connection,
  base: Base,
  present: Parameters<typeof versionOf>[0],
  version: string,
): number {
  const [, digits] = /^(\d{1,15})-[0-9a-f]{8}$/u.exec(version) ?? [];
  if (digits === undefined)
    throw new PlainError(
      `${version} is no data version: it looks like ${versionOf(present)}, that of ${base} now`,
    );
  const generation = Number(digits);
  if (generation > present.generation)
    throw new PlainError(
      `${base} is at ${versionOf(present)} and does not know ${version}: it is newer, or of another file; ${FROM_THE_START}`,
    );
  const own =
    generation === 0 ? NEW_FILE : versionOf({ generation, mark: commitAt(connection, generation).mark });
  if (own === version) return generation;
  throw new PlainError(
    `${version} is of another file: here generation ${generation} is ${own}; ${FROM_THE_START}`,
  );
}
