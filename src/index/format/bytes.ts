import { missing } from './element-at.ts';
import { DamagedBase } from './seal.ts';

/** Varints have seven bits a byte, the highest first, and the top bit set in all bytes but the last. */
export const VARINT_BYTES_MAX = 8;

export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/** Bytes as a binary string, one character a byte: joined and copied at a tenth of the cost of a text with accents. */
export function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new DamagedBase('a row ends before its content does');
    this.at += 1;
    return byte;
  }

  varint(): number {
    let value = 0;
    for (;;) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  }

  /** A view of the next bytes. */
  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw new DamagedBase('a row ends before its content does');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

/** A growing array of bytes. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow(1);
    this.bytes[this.length] = value;
    this.length += 1;
  }

  varint(value: number): void {
    if (value < 0x80) {
      this.byte(value);
      return;
    }
    let bytes = 1;
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes += 1;
    for (let left = bytes - 1; left >= 0; left -= 1) {
      const part = Math.floor(value / 128 ** left) % 128;
      this.byte(left > 0 ? part | 0x80 : part);
    }
  }

  copy(from: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.length + size > this.bytes.length) this.#grow(size);
    // Most are a few bytes, for which making a view takes longer.
    if (size > 32) this.bytes.set(from.subarray(start, end), this.length);
    else for (let at = 0; at < size; at += 1) this.bytes[this.length + at] = from[start + at] ?? missing();
    this.length += size;
  }

  clear(): void {
    this.length = 0;
  }

  /** A copy. */
  result(): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(this.length);
    result.set(this.bytes.subarray(0, this.length));
    return result;
  }

  #grow(size: number): void {
    const capacity = Math.max(this.length + size, this.bytes.length * 2);
    this.bytes = new Uint8Array(this.bytes.buffer.transfer(capacity));
  }
}
