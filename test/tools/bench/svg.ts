import { scale } from '@observablehq/plot';

/** A place on a picture, in its own units from the upper left. */
type Point = readonly [x: number, y: number];

/**
 * Colours that tell lines apart for nearly everybody (Okabe and Ito), each read well on its ground; a picture has a
 * ground of its own and follows the reader's theme, also where a page shows it as an image.
 */
const STYLE = `
  .ground { fill: #ffffff } .grid { stroke: #d8dee4; stroke-width: 1 }
  text { font: 12px system-ui, sans-serif; fill: #24292f } .title { font-size: 15px; font-weight: 600 }
  .soft { fill: #57606a } .value { font-size: 10px } .line { fill: none; stroke-width: 2 }
  .s0 { --c: #0072b2 } .s1 { --c: #d55e00 } .s2 { --c: #009e73 } .s3 { --c: #a3528f }
  .s4 { --c: #8a6d00 } .s5 { --c: #3d7ea6 } .s6 { --c: #7f5539 } .s7 { --c: #57606a }
  .line { stroke: var(--c) } .fill { fill: var(--c) } .name { fill: var(--c) }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .grid { stroke: #30363d } text { fill: #e6edf3 } .soft { fill: #9198a1 }
    .s0 { --c: #56b4e9 } .s1 { --c: #ff8f50 } .s2 { --c: #3fcf9f } .s3 { --c: #e59fd0 }
    .s4 { --c: #e6c229 } .s5 { --c: #9cc9e6 } .s6 { --c: #c9a27e } .s7 { --c: #9198a1 }
    .name { fill: var(--c) }
  }`;
export const COLOURS = 8;

/** A picture of shapes as text; sizes in pixels. */
export class Svg {
  readonly #width: number;
  readonly #height: number;
  readonly #parts: string[] = [];

  /** @param title also read out to who cannot see it. */
  constructor(width: number, height: number, title: string, subtitle: string) {
    this.#width = width;
    this.#height = height;
    this.#parts.push(`<title>${escaped(title)}</title>`, `<style>${STYLE}</style>`);
    this.#parts.push(`<rect class="ground" width="${width}" height="${height}" rx="6"/>`);
    this.text([16, 26], title, 'title');
    this.text([16, 44], subtitle, 'soft');
  }

  text([x, y]: Point, text: string, style = '', anchor: 'start' | 'middle' | 'end' = 'start'): void {
    this.#parts.push(
      `<text x="${px(x)}" y="${px(y)}" class="${style}" text-anchor="${anchor}">${escaped(text)}</text>`,
    );
  }

  gridLine([x1, y1]: Point, [x2, y2]: Point): void {
    this.#parts.push(`<line class="grid" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`);
  }

  polyline(points: readonly Point[], colour: number): void {
    const path = points.map(([x, y]) => `${px(x)},${px(y)}`).join(' ');
    this.#parts.push(`<polyline class="line s${colour}" points="${path}"/>`);
    for (const [x, y] of points) {
      this.#parts.push(`<circle class="fill s${colour}" cx="${px(x)}" cy="${px(y)}" r="3"/>`);
    }
  }

  bar([x, y]: Point, width: number, height: number, colour: number): void {
    this.#parts.push(
      `<rect class="fill s${colour}" x="${px(x)}" y="${px(y)}" width="${px(Math.max(1, width))}" height="${px(height)}"/>`,
    );
  }

  toString(): string {
    const size = `width="${this.#width}" height="${this.#height}" viewBox="0 0 ${this.#width} ${this.#height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n${this.#parts.join('\n')}\n</svg>\n`;
  }
}

/** Places figures on a length by their logarithms, between whole powers of ten. @throws if none is above zero. */
export function logScale(
  values: readonly number[],
  from: number,
  to: number,
): { at: (value: number) => number; powers: number[] } {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) throw new Error('a logarithmic scale of no figures');
  const least = Math.min(...positive);
  const domain = [least, Math.max(...positive, 1.001 * least)];
  const x = scale({ x: { type: 'log', domain, range: [from, to], nice: true } });
  if (x?.domain === undefined) throw new Error('a scale without a domain');
  const [low = 1, high = 10] = x.domain as number[];
  const powers = [];
  for (let power = low; power < high * 1.01; power *= 10) powers.push(power);
  return { at: (value) => Number(x.apply(Math.max(value, low))), powers };
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
