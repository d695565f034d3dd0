import { byId } from './dom.js';

const KEY = 'console-tema';
const listeners = new Set();
const probe = document.createElement('span');

/** Calls `listener` when the colours of the page have changed. */
export function onTheme(listener) {
  listeners.add(listener);
}

/** The present value of a colour of the style sheet, for canvases. */
export function color(name) {
  if (!probe.isConnected) {
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

export function startTheme() {
  const choice = byId('tema');
  choice.value = localStorage.getItem(KEY) ?? '';
  const apply = () => {
    if (choice.value === '') delete document.documentElement.dataset.tema;
    else document.documentElement.dataset.tema = choice.value;
    for (const listener of listeners) listener();
  };
  choice.addEventListener('change', () => {
    localStorage.setItem(KEY, choice.value);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  apply();
}
