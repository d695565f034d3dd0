import { isTag, isText, type ChildNode, type Element } from 'domhandler';

export type { ChildNode };

/** The elements under the given nodes, themselves included, that pass the test, in the order of the page. */
export function elementsIn(nodes: readonly ChildNode[], test: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  for (const node of nodes) {
    if (!isTag(node)) continue;
    if (test(node)) found.push(node);
    found.push(...elementsIn(node.children, test));
  }
  return found;
}

export function hasClass(element: Element, name: string): boolean {
  return (element.attribs['class'] ?? '').split(/\s+/u).includes(name);
}

/** The text under the nodes, as the page's source has it; `<br>` is a line break. */
export function textUnder(nodes: readonly ChildNode[]): string {
  return nodes
    .map((node) => {
      if (isText(node)) return node.data;
      if (!isTag(node)) return '';
      return node.name === 'br' ? BREAK : textUnder(node.children);
    })
    .join('');
}

/** Told apart from the breaks of the source until the text is normalised. */
export const BREAK = '\u2028';

/** The elements beside one, after it. */
export function siblingsAfter(element: Element): Element[] {
  const siblings = element.parent?.children ?? [];
  return siblings.slice(siblings.indexOf(element) + 1).filter(isTag);
}

export type { Element };
