import { ApiError } from './api.js';
import { h, render } from './preact.js';
import htm from './htm.js';

/** @import { ComponentChildren } from 'preact' */

/**
 * Makes elements of a template. Text never becomes markup.
 * @type {(strings: TemplateStringsArray, ...values: unknown[]) => ComponentChildren}
 */
export const html = htm.bind(h);

/**
 * The element with this id, which must exist.
 * @template {Element} [T=HTMLElement] @param {string} id
 * @param {new () => T} [type] its class, where properties of that one are needed. @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof (type ?? HTMLElement))) throw new TypeError(`no ${id} in the page`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- T is HTMLElement if no class is given
  return /** @type {T} */ (/** @type {Element} */ (element));
}

/**
 * Shows elements in the place with this id. What stays the same keeps its focus, its text and its place.
 * @param {string} id @param {ComponentChildren} content
 */
export function show(id, content) {
  render(content, byId(id));
}

/**
 * Sets a text only if it differs, so that screen readers do not read it again.
 * @param {Element} element @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Shows the result of an action, in a place that screen readers read aloud.
 * @param {HTMLElement} element @param {string} text
 */
export function say(element, text, isError = false) {
  element.classList.toggle('erro', isError);
  delete element.dataset.semContato;
  element.textContent = text;
}

/** Shows why an action failed. @param {HTMLElement} element @param {unknown} error */
export function sayFailure(element, error) {
  say(element, error instanceof Error ? error.message : String(error), true);
  if (error instanceof ApiError && error.isOutOfReach) element.dataset.semContato = 'sim';
}

/** Removes all messages that the service is out of reach. */
export function forgetOutOfReach() {
  for (const element of document.querySelectorAll('[data-sem-contato]'))
    if (element instanceof HTMLElement) say(element, '');
}
