import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Parser } from 'htmlparser2';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { codeOf, PlainError } from '../../process/fail.ts';

/** Of a file, and of what a .docx holds decompressed. */
const BYTES_MAX = 64 * 1024 * 1024;
/** Where Word keeps text, in the order in which a reader meets it. */
const PARTS = ['word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml'];

/**
 * The text of a plain text or a .docx, told by its first bytes. @param file a path, or `-` for standard input.
 * @throws PlainError if it cannot be read.
 */
export async function readDraft(file: string): Promise<string> {
  const bytes = await bytesOf(file);
  if (bytes.length > BYTES_MAX)
    throw new PlainError(`${file} passa de ${BYTES_MAX / 1024 / 1024} MiB; divida-o`);
  const start = bytes.toString('latin1', 0, 4);
  if (start.startsWith('PK')) return docxText(bytes, file);
  const text = decoded(bytes);
  const kind = KINDS[start] ?? (text.includes('\0') ? 'de um tipo que não se lê' : null);
  if (kind !== null) throw new PlainError(`${file} é ${kind}; salve-o como .docx ou como texto`);
  return text;
}

const KINDS: Readonly<Record<string, string>> = {
  '%PDF': 'um PDF',
  '{\\rt': 'um RTF',
  '\u00D0\u00CF\u0011\u00E0': 'um .doc antigo',
};

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new PlainError(`${file} não pôde ser lido (${codeOf(error)}); confira o nome e a permissão`);
  }
}

/** UTF-8, UTF-16 with its mark, or else Windows-1252, which text editors still write. */
function decoded(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\u00FF\u00FE') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === '\u00FE\u00FF') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

async function docxText(bytes: Buffer, file: string): Promise<string> {
  const texts = new Map<string, string>();
  try {
    const zip = await fromBufferPromise(bytes);
    let left = BYTES_MAX;
    for await (const entry of zip.eachEntry()) {
      if (!PARTS.includes(entry.fileName)) continue;
      const xml = await content(zip, entry, left);
      left -= xml.length;
      texts.set(entry.fileName, wordText(xml.toString('utf8')));
    }
  } catch (error) {
    // The library's words are English.
    const reason = error instanceof PlainError ? error.message : 'está cortado ou estragado; salve-o de novo';
    throw new PlainError(`${file} não é um .docx que se leia: ${reason}`);
  }
  if (!texts.has('word/document.xml')) throw new PlainError(`${file} é um zip, e não um .docx`);
  return PARTS.flatMap((part) => texts.get(part) ?? []).join('\n');
}

async function content(zip: ZipFile, entry: Entry, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    // A binary stream yields only buffers, which its type does not say.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const bytes = chunk as Buffer;
    length += bytes.length;
    // Whatever size the zip's directory claims.
    if (length > bytesMax) throw new PlainError('é grande demais depois de descomprimido');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const MARKS = new Map([
  ['w:tab', ' '],
  ['w:br', '\n'],
  ['w:cr', '\n'],
  ['w:noBreakHyphen', '-'],
]);

/** The text of WordprocessingML: of its `w:t`, with a line for each paragraph. Deleted text is in other elements. */
function wordText(xml: string): string {
  let text = '';
  let isText = false;
  let fallbacks = 0;
  const parser = new Parser(
    {
      onopentagname: (name) => {
        isText = name === 'w:t';
        // The same text box a second time, for old readers.
        if (name === 'mc:Fallback') fallbacks += 1;
        if (fallbacks === 0) text += MARKS.get(name) ?? '';
      },
      ontext: (piece) => {
        if (isText && fallbacks === 0) text += piece;
      },
      onclosetag: (name) => {
        isText = false;
        if (name === 'mc:Fallback') fallbacks -= 1;
        if (name === 'w:p' && fallbacks === 0) text += '\n';
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  parser.end();
  return text;
}
