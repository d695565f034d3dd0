import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Line } from '../support/service.ts';

/** A decision whose words no other has: `sombra7x…` in every text. */
export function secretLine(chave: string, secret: string, more: Partial<Line> = {}): Line {
  return {
    tipo: 'acordao',
    chave,
    processo: `${secret}proc`,
    numeros: [`${secret}numero`],
    classe: { sigla: `${secret}SIG`, descricao: `${secret}desc` },
    orgao_julgador: `${secret}orgao`,
    relator: `${secret}relator`,
    redator: `${secret}redator`,
    ementa: `${secret}ementa sobre dano moral. `.repeat(40),
    tese: `${secret}tese`,
    dispositivo: `${secret}dispositivo`,
    temas: [`${secret}tema`],
    citacao: `${secret}citacao`,
    extras: { nota: `${secret}nota` },
    ...more,
  };
}

/** Every file under a folder whose bytes have a text, in any case. */
export function filesWith(folder: string, text: string): string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    if (readFileSync(path).toString('latin1').toLowerCase().includes(text.toLowerCase())) found.push(name);
  }
  return found;
}

const ZSTD_MAGIC = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/** Whether a base file has a text in what can be unpacked from anywhere in its bytes: rows, free pages, unused space. */
export function hasPacked(file: string, text: string): boolean {
  const db = new Database(file, { readonly: true });
  const dictionaries = db.prepare<[], Buffer>('SELECT data FROM dictionary').pluck().all().map(dictionaryIn);
  const rows = ['record', 'term_vectors', 'replaced'].flatMap((table) =>
    db.prepare<[], Buffer>(`SELECT data FROM ${table}`).pluck().all(),
  );
  db.close();
  return [readFileSync(file), ...rows].some((bytes) => isPackedIn(bytes, text, [undefined, ...dictionaries]));
}

function isPackedIn(bytes: Buffer, text: string, dictionaries: readonly (Buffer | undefined)[]): boolean {
  for (let at = bytes.indexOf(ZSTD_MAGIC); at >= 0; at = bytes.indexOf(ZSTD_MAGIC, at + 1)) {
    for (const dictionary of dictionaries) {
      const content = unpacked(bytes.subarray(at), dictionary);
      if (content.toLowerCase().includes(text.toLowerCase())) return true;
    }
  }
  return false;
}

function unpacked(frame: Buffer, dictionary: Buffer | undefined): string {
  try {
    return zstdDecompressSync(frame, dictionary === undefined ? {} : { dictionary }).toString();
  } catch {
    return '';
  }
}

/** Past its number of doc ids and these (`src/index/FORMAT.md`). */
function dictionaryIn(row: Buffer): Buffer {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (;;) {
      const byte = row[at++] ?? 0;
      value = value * 128 + (byte % 128);
      if (byte < 128) return value;
    }
  };
  for (let left = varint(); left > 0; left -= 1) varint();
  return row.subarray(at, -4);
}
