import { parser } from '@prometheus-io/lezer-promql';
import type { Exposition } from './support-metrics.ts';

/** Prometheus puts these on every series that it fetches. */
const TARGET_LABELS = ['instance', 'job'];
/** A name of several words that is no function, or `up`, with the matchers of its labels in braces. */
const SELECTOR = /\b([a-z]+_\w+|up)\b(?!\s*\()(?:\{([^}]*)\})?/gu;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/gu;
const GROUPED = /\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/gu;

/**
 * What is wrong with an expression in Prometheus's language, as far as the given metrics tell: a fault in its grammar,
 * a metric, a label or a label's value that there is not.
 */
export function faultsOf(expression: string, metrics: Exposition): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type }) => {
      if (type.isError) faults.push(`not PromQL: ${text}`);
    },
  });
  const known = new Set(TARGET_LABELS);
  for (const [, metric = '', matchers = ''] of text.replaceAll(GROUPED, '').matchAll(SELECTOR)) {
    if (!metrics.names.has(metric)) faults.push(`no metric ${metric}`);
    const samples = metrics.samples.filter(({ name }) => name === metric);
    for (const label of metrics.labelsOf(metric)) known.add(label);
    for (const [, label = '', operator = '', value = ''] of matchers.matchAll(MATCHER)) {
      // Grafana puts in one or more values of a label.
      if (TARGET_LABELS.includes(label) || /^\$\w+$/u.test(value)) continue;
      for (const one of operator.endsWith('~') ? value.split('|') : [value]) {
        const pattern = new RegExp(`^(?:${one})$`, 'u');
        const isThere = samples.some(({ labels }) => pattern.test(labels[label] ?? ''));
        if (!isThere) faults.push(`${metric} never has ${label} ${one}`);
      }
    }
  }
  const grouped = [...text.matchAll(GROUPED)].flatMap(([, labels = '']) => labels.split(/\s*,\s*/u));
  return [
    ...faults,
    ...grouped.filter((label) => !known.has(label)).map((label) => `no label ${label} in ${text}`),
  ];
}

/** The metrics that an expression names. */
export function metricsIn(expression: string): string[] {
  return [...expression.replaceAll(GROUPED, '').matchAll(SELECTOR)].map(([, metric = '']) => metric);
}
