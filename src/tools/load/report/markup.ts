/** Finished markup; everything else in a template is text, and is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly (Markup | null)[] | null;

/** Writes HTML or SVG: values in `${}` are escaped unless they are markup; null writes nothing. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((text, part, at) => text + written(values[at - 1] ?? null) + part));
}

function written(value: Value): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return Bun.escapeHTML(String(value));
}
