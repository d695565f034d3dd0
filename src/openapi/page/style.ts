/** The page's looks: light and dark by the reader's own setting, and a narrow page for a phone. */
export const STYLE = `
:root { color-scheme: light dark; --fundo: #fbfbf9; --papel: #ffffff; --texto: #1d2126; --fraco: #575f69; --linha: #d9dcd8;
  --faixa: #f2f4f1; --destaque: #0b5cad; --sobre: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --fundo: #14171a; --papel: #1c2024; --texto: #e6e8ea; --fraco: #a4acb5;
  --linha: #3a4048; --faixa: #262b31; --destaque: #72b4f5; --sobre: #10151a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--fundo); color: var(--texto); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--destaque); }
:focus-visible { outline: 3px solid var(--destaque); outline-offset: 2px; }
.pular { position: absolute; left: -99rem; }
.pular:focus { left: 1rem; top: .5rem; background: var(--papel); padding: .5rem 1rem; }
header, .corpo { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .25rem 0 .75rem; max-width: 46rem; }
.fraco { color: var(--fraco); font-size: .9rem; }
.corpo { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 2rem; align-items: start; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: .5rem 0 1rem; }
nav h2 { font-size: .9rem; color: var(--fraco); margin: .5rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem .3rem; }
main > h2:first-of-type { margin-top: 1rem; }
section { background: var(--papel); border: 1px solid var(--linha); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; }
.titulo { font-size: 1.05rem; margin: 0 0 .5rem; }
.metodo { background: var(--destaque); color: var(--sobre); border-radius: .25rem; padding: .1rem .4rem; font-size: .8rem; vertical-align: .1em; }
.resumo { display: block; font-weight: 400; color: var(--fraco); }
code { font: .9em ui-monospace, monospace; background: var(--faixa); border-radius: .2rem; padding: 0 .2rem; }
pre { background: var(--faixa); border-radius: .4rem; padding: .75rem; margin: .25rem 0 .75rem; overflow: auto; max-height: 26rem; overflow-wrap: normal; }
pre code { background: none; padding: 0; }
figure { margin: 0; } figcaption { color: var(--fraco); font-size: .9rem; }
details { border-top: 1px solid var(--linha); padding: .25rem 0; }
summary { cursor: pointer; padding: .35rem .2rem; max-width: 46rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: .95rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { border-top: 1px solid var(--linha); padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--fraco); font-size: .85rem; border: 0; padding-bottom: .25rem; }
thead th:first-child { width: 34%; }
.tipo, .nota { display: block; font-size: .9rem; }
.nota { color: var(--fraco); }
td p, td ul { margin: 0 0 .35rem; }
@media (max-width: 48rem) { body { font-size: 15px; } .corpo { display: block; padding: 0 .5rem; } header { padding: 1rem .5rem 0; }
  nav { position: static; max-height: none; } nav ul { display: flex; flex-wrap: wrap; gap: 0 .75rem; } nav a { padding: .35rem 0; }
  section { padding: .75rem; } thead th:first-child { width: 42%; } }
@media print { nav, .pular { display: none; } .corpo { display: block; } }
`;
