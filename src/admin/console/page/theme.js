import { byId } from './html.js';

const KEY = 'console-tema';
const probe = document.createElement('span');
/** The colours of the style sheet that were asked for; none after they have changed. @type {Map<string, string>} */
const colors = new Map();

/** The present value of a colour of the style sheet, for canvases. @param {string} name */
export function color(name) {
  const known = colors.get(name);
  if (known !== undefined) return known;
  probe.hidden = true;
  document.body.append(probe);
  probe.style.color = `var(--${name})`;
  const value = getComputedStyle(probe).color;
  colors.set(name, value);
  return value;
}

/** @param {() => void} onChange called when the colours of the page have changed. */
export function startTheme(onChange) {
  const choice = byId('tema', HTMLSelectElement);
  choice.value = localStorage.getItem(KEY) ?? '';
  const apply = () => {
    if (choice.value === '') delete document.documentElement.dataset.tema;
    else document.documentElement.dataset.tema = choice.value;
    colors.clear();
    onChange();
  };
  choice.addEventListener('change', () => {
    localStorage.setItem(KEY, choice.value);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  apply();
}
