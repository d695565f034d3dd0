import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { TRIBUNAL_NO_ARQUIVO } from '../contract/catalog.ts';
import { BASES, isOneOf, type Base } from '../contract/vocabulary.ts';
import { baseFile } from '../index/format/schema.ts';
import { READ_STATE_SQL, keyHash, readState } from '../index/format/state.ts';
import { openForWriting } from '../index/write/base-file.ts';
import { barredKeys, idsOfKey } from '../index/write/withdrawn.ts';
import { PlainError } from '../process/fail.ts';
import { readId } from '../query/id.ts';

/** Decisions that a command names, by base: their numbers, and keys of their source. */
export type Picks = ReadonlyMap<Base, Picked>;
export interface Picked {
  readonly docIds: Set<number>;
  readonly keys: Set<string>;
}

export interface PickOptions {
  readonly key?: readonly (readonly [Base, string])[];
  readonly file?: string;
}

/** @throws PlainError for an id of another form, or none. */
export function picksOf(dataDir: string, names: readonly string[], { key = [], file }: PickOptions): Picks {
  const picks = new Map<Base, Picked>();
  const pick = (base: Base): Picked => {
    const found = picks.get(base) ?? { docIds: new Set(), keys: new Set() };
    picks.set(base, found);
    return found;
  };
  const listed = file === undefined ? [] : linesOf(file);
  for (const [name, place] of [...names.map((one) => [one, ''] as const), ...listed]) {
    const id = isOneOf(BASES, name) ? { base: name } : readId(name);
    if (id === null)
      throw new PlainError(
        `${place}${name} is no id: write it as the service does, like stj:968, or give the key of its source with --key`,
      );
    const { docIds } = pick(id.base);
    if ('docId' in id) docIds.add(id.docId);
  }
  for (const [base, one] of key) pick(base).keys.add(one);
  if (picks.size === 0) throw new PlainError('name at least one decision, like stj:968 (--help: other ways)');
  for (const base of picks.keys()) {
    const path = baseFile(dataDir, base);
    if (!existsSync(path)) throw new PlainError(`there is no file ${path}`);
  }
  return picks;
}

/** The lines of a list, with their places; `-` is standard input. */
function linesOf(file: string): (readonly [string, string])[] {
  const lines = readFileSync(file === '-' ? 0 : file, 'utf8').split('\n');
  return lines.flatMap((line, at) =>
    line.trim() === '' ? [] : [[line.trim(), `${file}:${at + 1}: `] as const],
  );
}

/** A parser of `--key BASE:KEY`, which may be given several times. */
export function keyOption(text: string, before: PickOptions['key'] = []): PickOptions['key'] {
  const at = text.indexOf(':');
  const [base, key] = [text.slice(0, at), text.slice(at + 1)];
  if (!isOneOf(BASES, base) || key === '')
    throw new InvalidArgumentError('It must be a base and a key, like stj:000123456.');
  return [...before, [base, key]];
}

/** The numbers of the decisions that are named: those in the base, and those withdrawn before. */
export interface PickedIds {
  readonly base: Base;
  readonly held: readonly number[];
  readonly withdrawn: readonly number[];
  /** Of these, those whose key may come again: their decisions may be there under another number. */
  readonly readmitted: readonly number[];
}

/** @throws PlainError for a decision that the base never had, or a key of several. */
export function findPicked(dataDir: string, base: Base, { docIds, keys }: Picked): PickedIds {
  const db = openForWriting(dataDir, base);
  try {
    const { docs } = readState(db.prepare<[], Buffer>(READ_STATE_SQL).pluck().get());
    const barred = barredKeys(db);
    const ids = new Set(docIds);
    for (const key of keys) {
      const former = Object.values(TRIBUNAL_NO_ARQUIVO).map((court) =>
        barred.get(keyHash(court, key).toString('hex')),
      );
      const [only, ...others] = [...idsOfKey(db, key), ...former.filter((id) => id !== undefined)];
      if (only === undefined) throw new PlainError(`${base} has no decision with the key ${key}`);
      const all = [only, ...others].map((id) => `${base}:${id}`).join(', ');
      if (others.length > 0) throw new PlainError(`${all} have the key ${key}: name one by its id`);
      ids.add(only);
    }
    const unknown = [...ids].find((id) => id > docs);
    if (unknown !== undefined)
      throw new PlainError(`${base} has no decision ${base}:${unknown}: nothing was changed`);
    const everWithdrawn = new Set(db.prepare<[], number>('SELECT id FROM withdrawn').pluck().all());
    const withdrawn = [...ids].filter((id) => everWithdrawn.has(id));
    const still = new Set(barred.values());
    const readmitted = withdrawn.filter((id) => !still.has(id));
    return { base, held: [...ids].filter((id) => !everWithdrawn.has(id)), withdrawn, readmitted };
  } finally {
    db.close();
  }
}
