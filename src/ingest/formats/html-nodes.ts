import { DomUtils, ElementType, type DomHandler } from 'htmlparser2';

export type ChildNode = DomHandler['root']['children'][number];
export type Element = Extract<ChildNode, { attribs: unknown }>;

/*
 * Recursion is safe here because `Bounds` limits the depth. Each function takes linear time, because one parent may have a
 * hundred thousand nodes.
 */

/** The elements that pass the test, among the nodes and their descendants, in page order. */
export function elementsIn(nodes: readonly ChildNode[], test: (element: Element) => boolean): Element[] {
  return DomUtils.findAll(test, [...nodes]);
}

export function hasClass(element: Element, name: string): boolean {
  return (element.attribs['class'] ?? '').split(/\s+/u).includes(name);
}

/**
 * The text under the nodes as in the page's source; `<br>` becomes `BREAK`.
 * @param max stops after the node that reaches this many characters.
 */
export function textUnder(nodes: readonly ChildNode[], max = Infinity): string {
  let text = '';
  const visit = (under: readonly ChildNode[]) => {
    for (const node of under) {
      if (text.length >= max) return;
      if (node.type === ElementType.Text) text += node.data;
      else if (isTag(node) && node.name === 'br') text += BREAK;
      else if (isTag(node)) visit(node.children);
    }
  };
  visit(nodes);
  return text;
}

/** Differs from line breaks of the source until the text is normalised. */
export const BREAK = '\u2028';

export function isTag(node: ChildNode): node is Element {
  return ElementType.isTag(node);
}
