/** A shipped configuration with a test's own addresses and folders. @throws if the text lacks one of the replaced words. */
export function swapped(text: string, words: readonly (readonly [string, string])[]): string {
  return words.reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`the configuration has no ${from}`);
    return all.replaceAll(from, to);
  }, text);
}
