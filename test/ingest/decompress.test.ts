import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAGIC_BYTES, beginsLikeZstd, decompressed, isArchiveError } from '../../src/ingest/decompress.ts';

/** A frame that decompressors pass over: magic, length, content. */
function skippable(content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a53, 0);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}
const frame = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => zstdCompressSync(bytes)),
  fc.integer({ min: 0, max: 400_000 }).map((length) => zstdCompressSync(Buffer.alloc(length, 'abc'))),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => skippable(Buffer.from(bytes))),
);

test('a zstd stream is complete only at the end of a frame', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 64 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (frames, piece, share) => {
        const stream = Buffer.concat(frames);
        expect(beginsLikeZstd(stream)).toBe(true);
        const ends = new Set<number>();
        let end = 0;
        for (const one of frames) ends.add((end += one.length));
        const cut = MAGIC_BYTES + Math.floor(share * (stream.length - MAGIC_BYTES));
        // Bytes of a frame's first word alone, too.
        const begun = [...ends].map((at) => at + 1).filter((at) => at < stream.length);
        for (const read of [cut, ...begun, ...ends])
          expect({ read, isWhole: await isWhole(stream.subarray(0, read), piece) }).toEqual({
            read,
            isWhole: ends.has(read),
          });
      },
    ),
  );
});

test('four kilobytes that expand to a hundred megabytes are decompressed in chunks', async () => {
  const packed = zstdCompressSync(Buffer.alloc(100_000_000));
  let longest = 0;
  let length = 0;
  for await (const bytes of decompressed(pieces(packed, packed.length))) {
    longest = Math.max(longest, bytes.length);
    length += bytes.length;
  }
  expect(length).toBe(100_000_000);
  expect(longest).toBeLessThan(1_000_000);
});

async function isWhole(stream: Buffer, piece: number): Promise<boolean> {
  try {
    for await (const _ of decompressed(pieces(stream, piece)));
    return true;
  } catch (error) {
    expect(isArchiveError(error)).toBe(true);
    expect(String(error)).toContain('the zstd file is cut');
    return false;
  }
}

async function* pieces(stream: Buffer, size: number): AsyncGenerator<Buffer> {
  await Promise.resolve();
  for (let at = 0; at < stream.length; at += size) yield stream.subarray(at, at + size);
}
