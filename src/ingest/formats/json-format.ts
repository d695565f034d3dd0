import { Damaged } from '../damaged.ts';
import { scoreOf } from '../member-names.ts';
import { sealedBy } from '../secrecy.ts';
import { isObject, type Members } from './fields.ts';
import { toItem, type Formato, type FoundRecord, type Mapped, type Source } from './format.ts';
import { readRecords, type ListShape } from './json-records.ts';

/** A format whose records are JSON objects in a list. */
export interface JsonFormat extends Pick<Formato, 'name' | 'about' | 'bases'>, Pick<ListShape, 'list'> {
  /** What messages call a record. */
  readonly noun: string;
  /** Names of members, separated by spaces: those that only this format has, and others that it has too. */
  readonly own: string;
  readonly shared: string;
  /** The member of `extras` with the time of the last change. */
  readonly changed?: string;
  readonly map: (record: Members, source: Source) => Mapped;
}

/** Its `read` throws Damaged as `readRecords` does, and if a record is not an object. */
export function jsonFormat({ list, noun, own, shared, changed = '', map, ...named }: JsonFormat): Formato {
  const score = (names: ReadonlySet<string>) => scoreOf(names, own, shared);
  return {
    ...named,
    recognises: (_, names) => score(names),
    changedAt: (extras) => {
      const at = isObject(extras) ? extras[changed] : null;
      return typeof at === 'string' && /^\d{4}-\d{2}-\d{2}/u.test(at) ? at : null;
    },
    async *read(source) {
      for await (const { value, number, size } of readRecords(source, { list, score })) {
        const place = `${noun} ${number}`;
        if (!isObject(value)) throw new Damaged(`a ${noun} that is not an object`, place);
        const raw = { text: () => JSON.stringify(value), size };
        const item: FoundRecord['item'] = (last) => toItem(() => map(value, source), last, raw);
        yield { place, item, sealedBy: () => sealedBy(value) };
      }
    },
  };
}
