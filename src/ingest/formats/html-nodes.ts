import { isTag, isText, type ChildNode, type Element } from 'domhandler';

export type { ChildNode };

/*
 * These walk a tree by recursion: `Bounds` holds its depth. Each is linear in the nodes, for a page may have a hundred
 * thousand of them under one parent.
 */

/** The elements under the given nodes, themselves included, that pass the test, in the order of the page. */
export function elementsIn(nodes: readonly ChildNode[], test: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  const visit = (under: readonly ChildNode[]) => {
    for (const node of under) {
      if (!isTag(node)) continue;
      if (test(node)) found.push(node);
      visit(node.children);
    }
  };
  visit(nodes);
  return found;
}

export function hasClass(element: Element, name: string): boolean {
  return (element.attribs['class'] ?? '').split(/\s+/u).includes(name);
}

/**
 * The text under the nodes, as the page's source has it; `<br>` is a line break.
 * @param max characters after which no further node is read.
 */
export function textUnder(nodes: readonly ChildNode[], max = Infinity): string {
  let text = '';
  const visit = (under: readonly ChildNode[]) => {
    for (const node of under) {
      if (text.length >= max) return;
      if (isText(node)) text += node.data;
      else if (isTag(node) && node.name === 'br') text += BREAK;
      else if (isTag(node)) visit(node.children);
    }
  };
  visit(nodes);
  return text;
}

/** Told apart from the breaks of the source until the text is normalised. */
export const BREAK = '\u2028';

export { isTag };
export type { Element };
