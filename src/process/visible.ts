/** Characters that control a terminal: control characters, direction changes and line ends. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A text on one line with such characters escaped. File names and file contents may contain them. */
export function visible(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for a text of several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Escapes the arguments in commander's error messages: a line for the error, and a line for a suggestion. */
export const VISIBLE_ERRORS = {
  outputError: (text: string, write: (text: string) => void): void => {
    const lines = text.trimEnd().split(/\n(?=\(Did you mean )/u);
    write(`${lines.map(visible).join('\n')}\n`);
  },
};
