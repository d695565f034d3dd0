import type { ComponentChildren } from 'preact';
import { ApiError } from './api.ts';
import { createRef, h, render } from './preact.js';
import htm from './htm.js';

/** Creates elements from a template. Text never becomes markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => ComponentChildren = htm.bind(h);

/** The element with this id, which must exist. @param type its class, if its properties are needed. */
export function byId<T extends Element = HTMLElement>(id: string, type?: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof (type ?? HTMLElement))) throw new TypeError(`no ${id} in the page`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- T is HTMLElement if no class is given
  return element as Element as T;
}

/** A ref to an element that exists whenever it is read. */
export function reference() {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return createRef<HTMLElement>() as { current: HTMLElement };
}

/** Renders elements into the place with this id. Unchanged elements keep focus, text and position. */
export function show(id: string, content: ComponentChildren) {
  render(content, byId(id));
}

/** Sets a text only if it differs, so that screen readers do not read it again. */
export function setText(element: Element, text: string) {
  if (element.textContent !== text) element.textContent = text;
}

/** A button that draws little attention. @param props its other attributes. */
export function button(
  text: string,
  onclick: () => unknown,
  { class: more = '', ...props }: Readonly<Record<string, string>> = {},
) {
  return html`<button type="button" class=${`discreto ${more}`} onclick=${onclick} ...${props}>${text}</button>`;
}

/** Shows an action's result, in a place that screen readers read aloud. */
export function say(element: HTMLElement, text: string, isError = false) {
  element.classList.toggle('erro', isError);
  delete element.dataset.semContato;
  element.textContent = text;
}

export function sayFailure(element: HTMLElement, error: unknown) {
  say(element, error instanceof Error ? error.message : String(error), true);
  if (error instanceof ApiError && error.isOutOfReach) element.dataset.semContato = 'sim';
}

/** Runs an action, and shows the text that it returns or why it failed. */
export async function act(element: HTMLElement, action: () => Promise<string>) {
  try {
    say(element, await action());
  } catch (error) {
    sayFailure(element, error);
  }
}

/** Removes all messages that the service is unreachable. */
export function forgetOutOfReach() {
  for (const element of document.querySelectorAll<HTMLElement>('[data-sem-contato]')) say(element, '');
}
