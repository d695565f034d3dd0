/** The body of an answer on the wire, and where the next answer begins. */
export interface Framed {
  readonly body: Buffer;
  readonly next: number;
}

/**
 * Reads a body by the framing in its head: in chunks (RFC 9112, section 7.1), or by its length.
 * @param head the answer's status line and headers, without the blank line. @param from where the body begins.
 * @returns null when it has not all come yet.
 */
export function framedBody(bytes: Buffer, head: string, from: number): Framed | null {
  if (/^transfer-encoding: *chunked/im.test(head)) return chunkedBody(bytes, from);
  const next = from + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  return bytes.length < next ? null : { body: bytes.subarray(from, next), next };
}

function chunkedBody(bytes: Buffer, from: number): Framed | null {
  const chunks: Buffer[] = [];
  let at = from;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error(`not a chunk: ${bytes.toString('latin1', at, lineEnd)}`);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return null;
    if (size === 0) return { body: Buffer.concat(chunks), next: end + 2 };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
