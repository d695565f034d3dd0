/** What a terminal obeys, whoever wrote it: control characters, and those that turn the direction of text or end a line. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A text on one line, with such characters as their codes: file names, and what stands in files, may hold any. */
export function visible(text: string): string {
  return text.replaceAll(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for a text of several lines, which stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** How commander says what is wrong with arguments, which it repeats: on one line, and on a second what it would suggest. */
export const VISIBLE_ERRORS = {
  outputError: (text: string, write: (text: string) => void): void => {
    const lines = text.trimEnd().split(/\n(?=\(Did you mean )/u);
    write(`${lines.map(visible).join('\n')}\n`);
  },
};
