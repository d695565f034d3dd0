import type { StatusEmenta } from '../../contract/vocabulary.ts';
import { withoutHeading } from '../normalise.ts';
import { textOrNull } from '../text.ts';

/** A judge's name without the title; a note such as `(JD 2G)` after it stays. */
export function withoutTitle(name: string | null): string | null {
  return name === null ? null : textOrNull(name.replace(/^Des\.?\s?\(?a?\)?\s+/iu, ''));
}

/** An ementa without the code and the heading that the court's system writes before it. */
export function ementaOfTjmg(text: string | null): string | null {
  return withoutHeading(text?.replace(/^<+[A-D]{20,}>\s*/u, '') ?? null);
}

/** Detects an ementa that the search truncated to 4,000 bytes without a sign. Null if it is not truncated. */
export function statusOfTjmg(ementa: string | null): StatusEmenta | null {
  if (ementa === null) return null;
  const isCut = Buffer.byteLength(ementa) >= EMENTA_BYTES - BYTES_SLACK || /[,;(–-]$/u.test(ementa);
  return isCut ? 'truncada' : null;
}

const EMENTA_BYTES = 4_000;
/** Bytes for the heading and highlight tags, which were removed after the search truncated the text. */
const BYTES_SLACK = 20;
