/**
 * A text without the characters that show nothing and stand inside words: soft hyphen, combining grapheme joiner, zero-width
 * spaces and joiners, direction marks, word joiner, byte order mark. FTS5's tokenizer separates words at most of them.
 * A joiner between the parts of one picture (a family of emoji) stays, and so does
 * a soft hyphen that is half of a misread `í` (`legÃ­timo`) stays: it is the sign of the error.
 */
export function withoutInvisible(text: string): string {
  return SIGN.test(text) ? text.replaceAll(INVISIBLE, '') : text;
}

const SIGN = /[\u034f\u00ad\u200b-\u200f\u2060\ufeff]/u;
const INVISIBLE =
  /[\u034f\u200b\u200c\u200e\u200f\u2060\ufeff]|\u200d(?!\p{Extended_Pictographic})|(?<!Ã)\u00ad|(?<!\p{Ll}Ã)\u00ad(?!\p{Ll})/gu;
