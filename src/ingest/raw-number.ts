/** `JSON.rawJSON`, which TypeScript's library does not declare yet. */
interface WithRawJson {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
}
// The only cast to it.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const raw = JSON as unknown as WithRawJson;

/** A JSON number as a number or, if that would change its text, as an object that keeps the text. */
export function numberOf(text: string): number | object {
  const number = Number(text);
  return String(number) === text ? number : raw.rawJSON(text);
}

/** True for an object made by `numberOf`. */
export function isRawNumber(value: unknown): boolean {
  return raw.isRawJSON(value);
}
