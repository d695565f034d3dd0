/** The parts of OpenAPI 3.1 that the document uses. A schema is plain JSON Schema (2020-12). */
export type Schema = object;
export interface Reference {
  readonly $ref: string;
}
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number;
}
export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: string | number;
}
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}
export interface Media {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, Example>>;
}
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, Media>>;
}
