/** `JSON.rawJSON`, which the runtime has and TypeScript's library does not describe yet. */
interface WithRawJson {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
}
// The one border with that part of the runtime.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const raw = JSON as unknown as WithRawJson;

/** A JSON number: as a number, or, where that would change how it is written, as an object that keeps its text. */
export function numberOf(text: string): number | object {
  const number = Number(text);
  return String(number) === text ? number : raw.rawJSON(text);
}

/** True for what `numberOf` makes of a number that it keeps as text. */
export function isRawNumber(value: unknown): boolean {
  return raw.isRawJSON(value);
}
