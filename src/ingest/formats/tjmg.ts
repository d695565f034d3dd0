import type { StatusEmenta } from '../../contract/enums.ts';
import { withoutHeading } from '../normalise.ts';
import { textOrNull } from '../text.ts';

/** The name of a judge of the TJMG without the title before it; a note such as `(JD 2G)` after it stays. */
export function withoutTitle(name: string | null): string | null {
  return name === null ? null : textOrNull(name.replace(/^Des\.?\s?\(?a?\)?\s+/iu, ''));
}

/** An ementa without what the court's own system writes before it: a code, and the heading. */
export function ementaOfTjmg(text: string | null): string | null {
  return withoutHeading(text?.replace(/^<+[A-D]{20,}>\s*/u, '') ?? null);
}

/** The search keeps 4,000 bytes of an ementa, and says nothing where it cuts. Null: nothing special is to be seen. */
export function statusOfTjmg(ementa: string | null): StatusEmenta | null {
  if (ementa === null) return null;
  const isCut = Buffer.byteLength(ementa) >= EMENTA_BYTES - BYTES_SLACK || /[,;(–-]$/u.test(ementa);
  return isCut ? 'truncada' : null;
}

const EMENTA_BYTES = 4_000;
/** The heading, and highlights that counted and are gone. */
const BYTES_SLACK = 20;
