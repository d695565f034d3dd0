/** The words of a text in lower case and without accents, by rules that share nothing with the service's. */
export function foldedWords(text: string): readonly string[] {
  const folded = text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
