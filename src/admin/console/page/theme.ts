import { byId } from './html.ts';

const KEY = 'console-tema';
const probe = document.createElement('span');
/** A cache of the style sheet's colours, cleared when they change. */
const colors = new Map<string, string>();

/** The current value of a style sheet colour, for canvases. */
export function color(name: string) {
  const known = colors.get(name);
  if (known !== undefined) return known;
  probe.hidden = true;
  document.body.append(probe);
  probe.style.color = `var(--${name})`;
  const value = getComputedStyle(probe).color;
  colors.set(name, value);
  return value;
}

/** @param onChange called when the page's colours have changed. */
export function startTheme(onChange: () => void) {
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
