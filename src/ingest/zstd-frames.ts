/**
 * Follows the frames of a zstd stream (RFC 8878, section 3.1) without decompressing them, because the runtime's
 * decompressor reports no error if a file ends in the middle of a frame.
 */
export const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const SKIPPABLE_MASK = 0xfffffff0;

/** True if the bytes begin with a zstd frame or a skippable frame. */
export function beginsLikeZstd(start: Buffer): boolean {
  if (start.length < 4) return false;
  const magic = start.readUInt32LE(0);
  return magic === ZSTD_MAGIC || isSkippable(magic);
}

function isSkippable(magic: number): boolean {
  return (magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE_MAGIC;
}

type Step = 'magic' | 'skippable' | 'descriptor' | 'block' | 'skip';
/** Bytes that a step reads. */
const WANTED = { magic: 4, skippable: 4, descriptor: 1, block: 3, skip: 0 } as const;

/** Takes the compressed bytes in pieces; `isWhole` is true if they end at the end of a frame. */
export class ZstdFrames {
  #step: Step = 'magic';
  #wanted: number = WANTED.magic;
  #held: number[] = [];
  #afterSkip: Step = 'magic';
  #hasChecksum = false;

  get isWhole(): boolean {
    return this.#step === 'magic' && this.#held.length === 0;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#step === 'skip') {
        const taken = Math.min(this.#wanted, chunk.length - at);
        at += taken;
        this.#wanted -= taken;
        if (this.#wanted === 0) this.#expect(this.#afterSkip);
        continue;
      }
      this.#held.push(chunk[at] ?? 0);
      at += 1;
      if (this.#held.length === this.#wanted) this.#read(Buffer.from(this.#held));
    }
  }

  #read(bytes: Buffer): void {
    switch (this.#step) {
      case 'magic':
        // The decompressor rejects any other magic number.
        this.#expect(isSkippable(bytes.readUInt32LE(0)) ? 'skippable' : 'descriptor');
        break;
      case 'skippable':
        this.#skip(bytes.readUInt32LE(0), 'magic');
        break;
      case 'descriptor':
        this.#readDescriptor(bytes.readUInt8(0));
        break;
      case 'block':
        this.#readBlock(bytes.readUIntLE(0, 3));
        break;
      case 'skip':
        break;
    }
  }

  #readDescriptor(descriptor: number): void {
    const isSingleSegment = (descriptor & 0x20) !== 0;
    this.#hasChecksum = (descriptor & 0x04) !== 0;
    const sizeFlag = descriptor >> 6;
    const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 2 ** sizeFlag;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
    this.#skip((isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes, 'block');
  }

  #readBlock(header: number): void {
    const isLast = (header & 1) === 1;
    const isRunLength = ((header >> 1) & 3) === 1;
    const size = isRunLength ? 1 : header >> 3;
    this.#skip(size + (isLast && this.#hasChecksum ? 4 : 0), isLast ? 'magic' : 'block');
  }

  #skip(bytes: number, then: Step): void {
    this.#held = [];
    this.#afterSkip = then;
    this.#step = 'skip';
    this.#wanted = bytes;
    if (bytes === 0) this.#expect(then);
  }

  #expect(step: Step): void {
    this.#held = [];
    this.#step = step;
    this.#wanted = WANTED[step];
  }
}
