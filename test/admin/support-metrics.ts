/** One line of Prometheus's text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a service tells Prometheus at one moment. */
export class Exposition {
  readonly samples: readonly Sample[];
  /** The type of each family, by its name. */
  readonly types: ReadonlyMap<string, string>;

  constructor(text: string) {
    const lines = text.split('\n').filter((line) => line !== '');
    this.types = new Map(
      lines.flatMap((line) => {
        const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
        return name === undefined || type === undefined ? [] : [[name, type] as const];
      }),
    );
    this.samples = lines.filter((line) => !line.startsWith('#')).map(sample);
  }

  /** The value of the one sample of that name that has all these labels; undefined if none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    );
    if (found.length > 1)
      throw new Error(`${found.length} samples of ${name} with ${JSON.stringify(labels)}`);
    return found[0]?.value;
  }

  /** The labels of a sample name, all that ever occur with it. */
  labelsOf(name: string): Set<string> {
    return new Set(
      this.samples.filter((one) => one.name === name).flatMap(({ labels }) => Object.keys(labels)),
    );
  }

  get names(): Set<string> {
    return new Set(this.samples.map(({ name }) => name));
  }
}

const SAMPLE = /^([a-z_:][\w:]*)(?:\{((?:[a-z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/iu;

function sample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || Number.isNaN(Number(value))) throw new Error(`no line of a metric: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gu)].map(([, key = '', text = '']) => [
    key,
    text,
  ]);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}

export async function metricsOf(adminUrl: string): Promise<Exposition> {
  const response = await fetch(`${adminUrl}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  return new Exposition(await response.text());
}
