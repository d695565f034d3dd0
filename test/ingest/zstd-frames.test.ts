import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZstdFrames, beginsLikeZstd } from '../../src/ingest/zstd-frames.ts';

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

test('a zstd stream is whole where its last frame ends, and nowhere before', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 64 }),
      (frames, piece) => {
        const stream = Buffer.concat(frames);
        expect(beginsLikeZstd(stream)).toBe(true);
        const ends = new Set<number>([0]);
        let end = 0;
        for (const one of frames) ends.add((end += one.length));
        const walker = new ZstdFrames();
        for (let at = 0; at < stream.length; at += piece) {
          walker.push(stream.subarray(at, at + piece));
          const read = Math.min(at + piece, stream.length);
          expect({ read, isWhole: walker.isWhole }).toEqual({ read, isWhole: ends.has(read) });
        }
      },
    ),
  );
});
