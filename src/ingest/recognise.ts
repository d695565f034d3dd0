import type { Base } from '../contract/vocabulary.ts';
import { PlainError } from '../process/fail.ts';
import { FORMATOS, formatsOf } from './formats/table.ts';
import type { Formato } from './formats/format.ts';
import { describeContent } from './describe.ts';
import type { Part } from './input.ts';

/** Bytes examined at the start of a text. */
const START_BYTES = 64 * 1024;

/**
 * Recognises the format of a text from its first kilobytes; null if the text is blank.
 * @throws PlainError with the choices if it is none of the base's formats.
 */
export async function recognise(part: Part, base: Base): Promise<Formato | null> {
  let found: Formato | undefined;
  const { bytes, isAll } = await part.start((start) => {
    found = formatOf(start);
    return found !== undefined || start.length >= START_BYTES;
  });
  const start = asText(bytes);
  if (found === undefined && isAll && start.trim() === '') return null;
  if (found?.bases.includes(base) === true) return found;
  const choices = formatsOf(base)
    .map(({ name }) => name)
    .join(', ');
  const what =
    found === undefined
      ? `${describeContent(start)}, of no known format`
      : `${found.name}, which loads into ${found.bases.join(' or ')} and not ${base}`;
  throw new PlainError(
    `nothing was loaded: ${part.name} is ${what}; name its format with --from: ${choices}`,
  );
}

/** True if a text is blank. */
export async function isBlank(part: Part): Promise<boolean> {
  const { bytes, isAll } = await part.start(
    (start) => asText(start).trim() !== '' || start.length >= START_BYTES,
  );
  return isAll && asText(bytes).trim() === '';
}

function formatOf(bytes: Buffer): Formato | undefined {
  // Trimmed once, so that no expression scans a long run of spaces.
  const start = asText(bytes).trimStart();
  return FORMATOS.find((format) => format.recognises(start));
}

/** Recognition uses ASCII only, so any encoding that extends ASCII will do. */
function asText(bytes: Buffer): string {
  const isUtf16 = bytes.length > 3 && (bytes[0] === 0xff || bytes[0] === 0xfe) && bytes[1] !== bytes[0];
  const encoding = bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le';
  return new TextDecoder(isUtf16 ? encoding : 'utf-8').decode(bytes.subarray(0, START_BYTES));
}
