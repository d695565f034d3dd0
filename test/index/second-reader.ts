import Database from 'better-sqlite3';
import { crc32, zstdDecompressSync } from 'node:zlib';

/*
 * A reader of a base file made from `src/index/FORMAT.md` and nothing else: no line of the service is in it. It is as slow as it
 * is plain, and takes a query as the messages have it: a tree, and the words to rank by.
 */

interface Term {
  readonly token: string;
  readonly prefix: boolean;
}
type Query =
  | { kind: 'nothing' }
  | ({ kind: 'term' } & Term)
  | { kind: 'positional'; phrases: Term[][]; distance: number | null; columns: number; first: boolean }
  | { kind: 'and' | 'or'; parts: Query[] }
  | { kind: 'not'; of: Query; without: Query };

interface Place {
  readonly column: number;
  readonly word: number;
}
interface Posting {
  readonly impact: number;
  readonly positions: Place[];
}
/** What a filter asks for; null: nothing. Days are `yyyymmdd`. */
interface Filter {
  readonly tribunais: readonly string[] | null;
  readonly tipo: string | null;
  readonly judged_from: number | null;
  readonly judged_to: number | null;
}
interface State {
  readonly generation: number;
  readonly docs: number;
  readonly terms: number;
  readonly removedTerms: number;
}
/** What a list holds, by number. */
type List = ReadonlyMap<number, Posting>;

const COURTS = ['tst', 'stf', 'stj', 'tnu', 'trf6', 'trt3', 'tjmg'];
const TYPES = [
  'acordao',
  'decisao_monocratica',
  'decisao_presidencia',
  'decisao_vice_presidencia',
  'decisao_corregedoria',
  'sumula',
  'orientacao_jurisprudencial',
  'precedente_normativo',
  'informativo',
];

export class SecondReader {
  readonly #db: Database.Database;
  readonly #state: State;
  readonly #lists = new Map<string, List>();

  constructor(file: string) {
    this.#db = new Database(file, { readonly: true });
    const marks = ['application_id', 'user_version'].map((mark) => this.#db.pragma(mark, { simple: true }));
    if (marks[0] !== 0x4a555249 || marks[1] !== 7)
      throw new Error(`the page is not of this file: ${marks.join()}`);
    this.#state = JSON.parse(this.#row('state', 1).toString()) as State;
  }

  close(): void {
    this.#db.close();
  }

  /** Every match, the newest first, or by relevance. */
  search(query: Query, terms: readonly Term[], ordem: 'recentes' | 'relevancia'): number[] {
    const matches = [...this.#matching(query)].toSorted((a, b) => b - a);
    if (ordem === 'recentes') return matches;
    const scores = new Map(matches.map((number) => [number, 0]));
    for (const { token, prefix } of terms) {
      const lists = this.#listsOf(token, prefix);
      const impacts = new Map<number, number>();
      for (const list of lists) {
        for (const [number, { impact }] of list)
          impacts.set(number, Math.max(impact, impacts.get(number) ?? 0));
      }
      const [total, df] = [this.#state.docs, impacts.size];
      const idf = Math.round(2 ** 30 * Math.log(1 + (total - df + 0.5) / (df + 0.5))) / 2 ** 30;
      for (const [number, score] of scores) scores.set(number, score + idf * (impacts.get(number) ?? 0));
    }
    return matches.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b);
  }

  /** Whether a filter keeps a decision. */
  keeps(number: number, { tribunais, tipo, judged_from, judged_to }: Filter): boolean {
    const judged = this.#value(number, 2);
    const isJudged = judged >= (judged_from ?? 1) && judged <= (judged_to ?? Infinity);
    return (
      (tribunais === null || tribunais.includes(COURTS[this.#value(number, 0)] ?? '')) &&
      (tipo === null || tipo === TYPES[this.#value(number, 1)]) &&
      ((judged_from === null && judged_to === null) || isJudged)
    );
  }

  #value(number: number, column: number): number {
    const [block, offset] = [Math.floor(number / 65_536), number % 65_536];
    const row = this.#row('doc_values', 4 * block + column);
    return column < 2 ? row.readUInt8(offset) : row.readUInt32LE(4 * offset);
  }

  /** The impact of a word in a decision; 0 where it is not in it. */
  impactOf(word: string, number: number): number {
    return this.#listsOf(word, false)[0]?.get(number)?.impact ?? 0;
  }

  /** Whether a number was given to a decision that was withdrawn. */
  isWithdrawn(number: number): boolean {
    const isThere =
      this.#db.prepare('SELECT 1 FROM withdrawn WHERE id = ?').pluck().get(number) !== undefined;
    if (isThere) this.#row('withdrawn', number);
    return isThere;
  }

  /** What each generation changed, from its row in `commits`. */
  commits(): { mark: string; docs: number; replaced: number[]; withdrawn: number[] }[] {
    return Array.from({ length: this.#state.generation }, (_, at) => {
      const row = new Bytes(this.#row('commits', at + 1));
      const mark = row.take(8).toString();
      const docs = row.varint();
      const ids = () => {
        let id = 0;
        return Array.from({ length: row.varint() }, () => (id += row.varint()));
      };
      return { mark, docs, replaced: ids(), withdrawn: ids() };
    });
  }

  /** Both contract objects, parsed. */
  record(number: number): { resumo: unknown; documento: unknown } {
    const [frameNumber = '', ...own] = this.#row('item', number).toString().split('\u001f');
    const frame = frameNumber === '0' ? own.splice(5) : this.#values('frame', Number(frameNumber));
    const rest = this.#rest(number);
    const [processo, relator, julgamento, publicacao, trecho = ''] = own;
    const text = (value = '') =>
      value === '' ? null : (JSON.parse(value === '""' ? value : `"${value}"`) as string);
    const json = (value = '') => (value === '' ? null : (JSON.parse(value) as unknown));
    const base = this.#db.prepare(`SELECT value FROM meta WHERE key = 'base'`).pluck().get();
    const shared = {
      id: `${String(base)}:${number}`,
      base,
      fonte: text(frame[0]),
      tipo: text(frame[1]),
      processo: text(processo),
      classe: { sigla: text(frame[2]), descricao: text(frame[3]) },
      orgao_julgador: text(frame[4]),
      relator: text(relator),
      data_julgamento: text(julgamento),
      data_publicacao: text(publicacao),
      ementa_status: text(frame[5]),
    };
    const ementa = rest[1] ?? '';
    const resumo = { ...shared, trecho_da_ementa: text(trecho) };
    const documento = {
      ...shared,
      redator: text(rest[0]),
      ementa: text(ementa.startsWith('+') ? trecho + ementa.slice(1) : ementa.slice(1)),
      tese: text(rest[2]),
      dispositivo: text(rest[3]),
      inteiro_teor: { existe_na_origem: json(rest[4]), caracteres: json(rest[5]) },
      citacao: text(rest[6]),
      legislacao_citada: json(rest[7]),
      temas: json(rest[8]),
      extras: json(rest[9]),
    };
    return { resumo, documento };
  }

  #rest(number: number): string[] {
    const at = number - 1;
    const block = new Bytes(this.#row('record', Math.floor(at / 16)));
    const id = block.varint();
    for (let skipped = 0; skipped < Math.floor((at % 16) / 8); skipped += 1) block.take(block.varint());
    const group = block.take(block.varint());
    const options = id === 0 ? {} : { dictionary: this.#dictionary(id) };
    const rests = zstdDecompressSync(group, options).toString().split('\u001e');
    return (rests[at % 8] ?? '').split('\u001f');
  }

  #dictionary(id: number): Buffer {
    const row = new Bytes(this.#row('dictionary', id));
    for (let left = row.varint(); left > 0; left -= 1) row.varint();
    return row.rest();
  }

  #values(table: string, id: number): string[] {
    return this.#row(table, id).toString().split('\u001f');
  }

  #matching(query: Query): Set<number> {
    switch (query.kind) {
      case 'nothing':
        return new Set();
      case 'term':
        return new Set(this.#listsOf(query.token, query.prefix).flatMap((list) => Array.from(list.keys())));
      case 'not':
        return this.#matching(query.of).difference(this.#matching(query.without));
      case 'or':
        return query.parts.reduce((all, part) => all.union(this.#matching(part)), new Set<number>());
      case 'and':
        return query.parts.map((part) => this.#matching(part)).reduce((all, part) => all.intersection(part));
      case 'positional': {
        const words = query.phrases.map((phrase) =>
          phrase.map(({ token, prefix }) => this.#listsOf(token, prefix)),
        );
        const candidates = words
          .flat()
          .map((lists) => new Set(lists.flatMap((list) => Array.from(list.keys()))))
          .reduce((all, one) => all.intersection(one));
        return new Set([...candidates].filter((number) => this.#stands(query, words, number)));
      }
    }
  }

  #stands(
    { distance, columns, first }: Extract<Query, { kind: 'positional' }>,
    phrases: readonly (readonly (readonly List[])[])[],
    number: number,
  ): boolean {
    for (let column = 0; column < 5; column += 1) {
      if (((columns >> column) & 1) === 0) continue;
      const begins = phrases.map((words) => {
        const at = words.map(
          (lists) =>
            new Set(
              lists
                .flatMap((list) => list.get(number)?.positions ?? [])
                .filter((place) => place.column === column)
                .map(({ word }) => word),
            ),
        );
        return [...(at[0] ?? [])].filter(
          (word) => at.every((one, further) => one.has(word + further)) && (!first || word === 0),
        );
      });
      const isNear = (from: number, chosen: readonly number[]): boolean => {
        if (from < begins.length)
          return (begins[from] ?? []).some((word) => isNear(from + 1, [...chosen, word]));
        const last = Math.max(...chosen);
        const reach = column >= 3 ? Math.min(distance ?? 0, 8191) : (distance ?? 0);
        return chosen.every((word, at) => word >= last - (phrases[at]?.length ?? 0) - reach);
      };
      if (isNear(0, [])) return true;
    }
    return false;
  }

  /** The lists of a word, or of all words that begin so. */
  #listsOf(text: string, isPrefix: boolean): List[] {
    this.#readDictionary();
    if (!isPrefix) return [this.#lists.get(text) ?? new Map<number, Posting>()];
    return [...this.#lists].filter(([name]) => name.startsWith(text)).map(([, list]) => list);
  }

  /** All of it, from row to row. */
  #readDictionary(): void {
    if (this.#lists.size > 0 || this.#state.terms === 0) return;
    const find = this.#db.prepare<[Buffer], number>('SELECT id FROM terms WHERE first_term = ?').pluck();
    let first: Buffer | null = Buffer.alloc(0);
    while (first !== null) {
      const row = new Bytes(this.#row('terms', find.get(first) ?? 0));
      if (!row.take(row.varint()).equals(first)) throw new Error('a row is missing');
      const next = row.varint();
      first = next === 0 ? null : row.take(next - 1);
      let name = Buffer.alloc(0);
      while (!row.isAtEnd) {
        name = Buffer.concat([name.subarray(0, row.varint()), row.take(row.varint())]);
        this.#lists.set(name.toString(), this.#readList(row));
      }
    }
    if (this.#lists.size !== this.#state.terms - this.#state.removedTerms)
      throw new Error('a list is missing');
  }

  #readList(row: Bytes): List {
    const id = row.varint();
    const kind = row.varint();
    if (kind === 0) {
      const number = row.varint();
      const impact = row.byte();
      return new Map([[number, { impact, positions: row.positions() }]]);
    }
    const list = new Map<number, Posting>();
    let block = 0;
    for (let left = kind - 1; left > 0; left -= 1) {
      block += row.varint();
      const end = block + row.varint();
      const parts = this.#row('postings', 2 * (block * 2 ** 24 + id));
      for (let at = 0; at < parts.length;) {
        const [own, length] = [parts.readUInt32LE(at), parts.readUInt32LE(at + 4)];
        if (own < block || own >= end) throw new Error('a part is in a row that is not its own');
        this.#readPart(id, own, parts.subarray(at + 8, at + 8 + length), list);
        at += 8 + 4 * Math.ceil(length / 4);
      }
      block = end;
    }
    return list;
  }

  #readPart(id: number, block: number, row: Buffer, list: Map<number, Posting>): void {
    const key = 2 * (block * 2 ** 24 + id);
    const count = row.readUInt32LE(0);
    const isBitmap = count > 4096;
    const offsets = isBitmap
      ? Array.from({ length: 65_536 }, (_, at) => at).filter(
          (at) => ((row[4 + (at >> 3)] ?? 0) >> (at & 7)) & 1,
        )
      : Array.from({ length: count }, (_, at) => row.readUInt16LE(4 + 2 * at));
    const impacts = isBitmap ? this.#row('postings', key + 1) : row.subarray(4 + 2 * count, 4 + 3 * count);
    const inline = new Bytes(row.subarray(4 + 3 * count));
    let part = inline;
    for (const [rank, offset] of offsets.entries()) {
      if (count > 128 && rank % 512 === 0) {
        const positionsKey = 128 * (block * 2 ** 24 + id) + rank / 512;
        part = new Bytes(this.#row('positions', positionsKey));
        const groups = Math.ceil(Math.min(512, count - rank) / 64);
        for (let group = 1; group < groups; group += 1) part.varint();
      }
      list.set(block * 65_536 + offset, { impact: impacts[rank] ?? 0, positions: part.positions() });
    }
  }

  /** A row without its checksum. */
  #row(table: string, id: number): Buffer {
    const found = this.#db
      .prepare<[number], Buffer>(`SELECT data FROM ${table} WHERE id = ?`)
      .pluck()
      .get(id);
    if (found === undefined) throw new Error(`${table} ${id} is missing`);
    const content = found.subarray(0, -4);
    const sum = crc32(Buffer.concat([Buffer.from(`${table} ${id} `), content]));
    if (sum !== found.readUInt32LE(content.length)) throw new Error(`${table} ${id} is damaged`);
    return content;
  }
}

class Bytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    this.#at += 1;
    return this.#bytes.readUInt8(this.#at - 1);
  }

  varint(): number {
    let value = 0;
    for (;;) {
      const byte = this.byte();
      value = value * 128 + (byte % 128);
      if (byte < 128) return value;
    }
  }

  take(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  positions(): Place[] {
    const positions: Place[] = [];
    let [column, next] = [0, 0];
    for (;;) {
      const value = this.varint();
      const code = Math.floor(value / 2);
      if (code < 5) {
        [column, next] = [code, 0];
        continue;
      }
      const word = next + code - 5;
      positions.push({ column, word });
      next = word + 1;
      if (value % 2 === 1) return positions;
    }
  }
}
