import { parser } from '@prometheus-io/lezer-promql';
import type { Exposition } from './support-metrics.ts';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** Prometheus puts these on every series that it fetches. */
const TARGET_LABELS = ['instance', 'job'];
/** What Grafana puts in: a length of time, and one or more values of a label. */
const VARIABLE = /^\$\w+$/;

/**
 * What is wrong with an expression in Prometheus's language, as far as the given metrics tell: a fault in its grammar,
 * a metric, a label or a label's value that there is not.
 */
export function faultsOf(expression: string, metrics: Exposition): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const tree = parser.parse(text);
  const textOf = ({ from, to }: Node) => text.slice(from, to);
  const faults: string[] = [];
  const all = descendants(tree.topNode);
  if (all.some(({ type }) => type.isError)) faults.push(`not PromQL: ${text}`);
  for (const selector of all.filter(({ name }) => name === 'VectorSelector')) {
    faults.push(...selectorFaults(selector, textOf, metrics));
  }
  for (const grouping of all.filter(({ name }) => name === 'GroupingLabels')) {
    const around = enclosing(grouping);
    const known = new Set(TARGET_LABELS);
    for (const selector of descendants(around).filter(({ name }) => name === 'VectorSelector')) {
      for (const label of metrics.labelsOf(metricOf(selector, textOf))) known.add(label);
    }
    const labels = grouping.getChildren('LabelName').map(textOf);
    const unknown = labels.filter((label) => !known.has(label));
    faults.push(...unknown.map((label) => `no label ${label} in ${textOf(around)}`));
  }
  return faults;
}

/** The metrics that an expression names. */
export function metricsIn(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const selectors = descendants(parser.parse(text).topNode).filter(({ name }) => name === 'VectorSelector');
  return selectors.map((selector) => metricOf(selector, ({ from, to }) => text.slice(from, to)));
}

function selectorFaults(selector: Node, textOf: (node: Node) => string, metrics: Exposition): string[] {
  const metric = metricOf(selector, textOf);
  if (!metrics.names.has(metric)) return [`no metric ${metric}`];
  const known = new Set([...metrics.labelsOf(metric), ...TARGET_LABELS]);
  return descendants(selector)
    .filter(({ name }) => name === 'UnquotedLabelMatcher')
    .flatMap((matcher) => {
      const [label = '', operator = '', quoted = ''] = children(matcher).map(textOf);
      if (!known.has(label)) return [`no label ${label} of ${metric}`];
      const value = quoted.slice(1, -1);
      if (TARGET_LABELS.includes(label) || VARIABLE.test(value)) return [];
      const isThere = matches(metrics, metric, label, operator.endsWith('~') ? value.split('|') : [value]);
      return isThere ? [] : [`${metric} never has ${label} ${value}`];
    });
}

/** True when each of the values, or patterns, is one that the label takes. */
function matches(metrics: Exposition, metric: string, label: string, patterns: readonly string[]): boolean {
  const taken = metrics.samples
    .filter(({ name }) => name === metric)
    .map(({ labels }) => labels[label] ?? '');
  return patterns.every((pattern) => taken.some((value) => new RegExp(`^(?:${pattern})$`, 'u').test(value)));
}

function metricOf(selector: Node, textOf: (node: Node) => string): string {
  const identifier = selector.getChild('Identifier');
  return identifier === null ? '' : textOf(identifier);
}

/** The aggregation or the operation that a list of labels belongs to. */
function enclosing(node: Node): Node {
  let at = node;
  while (at.parent !== null && at.name !== 'AggregateExpr' && at.name !== 'BinaryExpr') at = at.parent;
  return at;
}

function children(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

function descendants(node: Node): Node[] {
  return children(node).flatMap((child) => [child].concat(descendants(child)));
}
