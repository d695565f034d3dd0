import type { Base } from '../contract/vocabulary.ts';
import { PlainError } from '../process/fail.ts';
import { FORMATOS, formatsOf } from './formats/table.ts';
import type { Formato } from './formats/format.ts';
import { describeContent } from './describe.ts';
import type { InputText } from './input.ts';
import { memberNames } from './member-names.ts';

/** Bytes examined at the start of a text. */
const START_BYTES = 64 * 1024;

/**
 * Recognises the format of a text from its first kilobytes; null if the text is blank.
 * @throws PlainError with the choices if it is none of the base's formats.
 */
export async function recognise(part: InputText, base: Base): Promise<Formato | null> {
  let found: Formato | undefined;
  const { bytes, isAll } = await part.start((start) => {
    found = formatOf(start, false);
    return found !== undefined || start.length >= START_BYTES;
  });
  found ??= formatOf(bytes, isAll);
  const start = asText(bytes);
  if (found === undefined && isAll && start.trim() === '') return null;
  if (found?.bases.includes(base) === true) return found;
  const choices = formatsOf(base)
    .map(({ name }) => name)
    .join(', ');
  const what =
    found === undefined
      ? `${describeContent(start)}, of no known format; name`
      : `${found.name}, which loads into ${found.bases.join(' or ')} and not ${base}; load it there, or name`;
  throw new PlainError(`nothing was loaded: ${part.name} is ${what} its format with --from: ${choices}`);
}

/** True if a text is blank. */
export async function isBlank(part: InputText): Promise<boolean> {
  const { bytes, isAll } = await part.start(
    (start) => asText(start).trim() !== '' || start.length >= START_BYTES,
  );
  return isAll && asText(bytes).trim() === '';
}

/**
 * The format of which most names are there. @returns undefined while more of the text may tell more.
 * @param isAll true if no more text comes.
 */
function formatOf(bytes: Buffer, isAll: boolean): Formato | undefined {
  // Trimmed once, so that no expression scans a long run of spaces.
  const start = asText(bytes).trimStart();
  const { names, isWhole } = memberNames(start);
  if (!isAll && !isWhole && !start.startsWith('<') && bytes.length < START_BYTES) return undefined;
  const scores = FORMATOS.map((format) => format.recognises(start, names));
  const best = Math.max(...scores);
  return best === 0 ? undefined : FORMATOS[scores.indexOf(best)];
}

/** Recognition uses ASCII only, so any encoding that extends ASCII will do. */
function asText(bytes: Buffer): string {
  return new TextDecoder('utf-8').decode(bytes.subarray(0, START_BYTES));
}
