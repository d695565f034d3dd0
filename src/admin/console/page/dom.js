/** The element with this id, which must exist. */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Makes an element. Properties named `on…` are listeners, `class` and those with a hyphen are attributes, all others
 * are set as they are. Text never becomes markup.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name.includes('-') || name === 'for' || name === 'role') {
      element.setAttribute(name, value);
    } else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Sets a text only if it differs, so that it is not read aloud or laid out again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows the result of an action, in a place that screen readers read aloud. */
export function say(element, text, isError = false) {
  element.classList.toggle('erro', isError);
  delete element.dataset.semContato;
  element.textContent = text;
}

/** Shows why an action failed. @param error an `ApiError`. */
export function sayFailure(element, error) {
  say(element, error.message, true);
  if (error.isOutOfReach) element.dataset.semContato = 'sim';
}

/** Removes all messages that the service is out of reach. */
export function forgetOutOfReach() {
  for (const element of document.querySelectorAll('[data-sem-contato]')) say(element, '');
}
