/** The report's looks: light and dark by the reader's own setting, and a narrow page for a phone. */
export const STYLE = `
:root { color-scheme: light dark; --fundo: #fbfbf9; --papel: #ffffff; --texto: #1d2126; --fraco: #575f69; --linha: #d9dcd8;
  --grade: #e8eae6; --s0: #0b5cad; --s1: #b3480b; --faixa: #f2f4f1; --falha: #b3261e; --r0: #2f9c8f; --r1: #5a0f7a; --calor: #08306b; --aviso: #fff4d6; --aviso-linha: #b98900; }
@media (prefers-color-scheme: dark) { :root { --fundo: #14171a; --papel: #1c2024; --texto: #e6e8ea; --fraco: #a4acb5;
  --linha: #3a4048; --grade: #2b3036; --s0: #72b4f5; --s1: #f0a15f; --faixa: #22272c; --falha: #ff8a80; --r0: #2f8f86; --r1: #f2b8ff; --calor: #c8e3ff; --aviso: #33290c; --aviso-linha: #d9a520; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--fundo); color: var(--texto); font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--s0); }
:focus-visible { outline: 3px solid var(--s0); outline-offset: 2px; }
.pular { position: absolute; left: -99rem; }
.pular:focus { left: 1rem; top: .5rem; background: var(--papel); padding: .5rem 1rem; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: 1rem 0 0; }
p { margin: .25rem 0 .75rem; max-width: 46rem; }
.fraco { color: var(--fraco); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; padding: 0; margin: .75rem 0 1rem; }
section { background: var(--papel); border: 1px solid var(--linha); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; }
.numeros { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: .75rem 0 0; padding: 0; }
.numeros div { border-left: 3px solid var(--linha); padding-left: .75rem; }
.numeros dt { color: var(--fraco); font-size: .85rem; }
.numeros dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.numeros .antes { display: block; font-size: .85rem; color: var(--fraco); }
.avisos { background: var(--aviso); border-color: var(--aviso-linha); }
.avisos ul { margin: 0; padding-left: 1.2rem; }
.veredito { list-style: none; padding: 0; margin: .25rem 0 .5rem; }
.veredito li { padding-left: .75rem; border-left: 4px solid var(--linha); margin: .25rem 0; }
.veredito .reprovado { border-color: var(--falha); } .veredito .reprovado strong { color: var(--falha); } .veredito .aprovado { border-color: var(--s0); }
.legenda { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: .5rem 0 .25rem; font-size: .9rem; }
.legenda li { display: flex; align-items: center; gap: .5rem; }
.legenda svg { flex: none; }
.grafico { display: block; max-width: 100%; height: auto; font: 13px system-ui, sans-serif; margin: .25rem 0 .5rem; }
.grafico.estreito { display: none; }
.grafico text { fill: var(--texto); }
.grafico .eixo text { fill: var(--fraco); font-variant-numeric: tabular-nums; }
.grafico .grade line { stroke: var(--grade); }
.linha { fill: none; stroke-width: 2; stroke-linejoin: round; }
.s0 { stroke: var(--s0); } .s1 { stroke: var(--s1); }
.linha.s1 { stroke-dasharray: 7 4; }
.ponto { fill: var(--papel); stroke-width: 2; }
.ponto.s1 { fill: var(--s1); }
.rampa { fill: none; stroke: color-mix(in oklch, var(--r1) var(--t), var(--r0)); stroke-width: 1.75; stroke-linejoin: round; }
.rampa.forte { stroke-width: 3.5; }
.linha.devida { stroke: var(--fraco); stroke-width: 1.25; stroke-dasharray: 3 3; }
.falhas { fill: var(--falha); fill-opacity: .55; }
.calor { fill: color-mix(in oklab, var(--calor) var(--p), var(--papel)); }
.c0 { --p: 24%; } .c1 { --p: 38%; } .c2 { --p: 52%; } .c3 { --p: 66%; } .c4 { --p: 82%; } .c5 { --p: 100%; }
.joelho circle { fill: none; stroke: var(--texto); stroke-width: 2; }
.joelho text { font-weight: 600; paint-order: stroke; stroke: var(--papel); stroke-width: 4px; }
.caixa line { stroke-width: 1.5; } .caixa rect { fill: var(--papel); stroke-width: 2; }
.caixa.s1 rect { fill: var(--faixa); stroke-dasharray: 4 2; }
.caixa .mediana { stroke-width: 3; } .caixa.s0 circle { fill: var(--s0); } .caixa.s1 circle { fill: var(--s1); }
.passo { fill: var(--faixa); }
.nota { font-size: 12px; }
.falha { fill: var(--falha); }
code { white-space: nowrap; }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--s0); padding: .25rem 0; }
.rolagem { overflow-x: auto; max-height: 40rem; overflow-y: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; white-space: nowrap; color: var(--fraco); padding: .25rem 0; }
th, td { padding: .25rem .75rem .25rem 0; text-align: right; border-bottom: 1px solid var(--grade); white-space: nowrap; }
thead th { vertical-align: bottom; color: var(--fraco); font-weight: 600; white-space: normal; }
thead th:first-child, tbody th { text-align: left; }
tbody th { font-weight: 500; }
.plano td { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
.plano tbody th { white-space: normal; }
footer { color: var(--fraco); padding-bottom: 2rem; font-size: .9rem; }
@media (max-width: 40rem) { .grafico.largo { display: none; } .grafico.estreito { display: block; }
  body { font-size: 15px; } section { padding: .75rem; } header, main, footer { padding-left: .5rem; padding-right: .5rem; } .numeros { grid-template-columns: 1fr 1fr; } }
@media (min-width: 110rem) { header, main, footer { max-width: 118rem; } main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; align-items: start; }
  main > section { margin: 0; } main > .larga { grid-column: 1 / -1; } footer { margin-top: 1rem; } }
@media print { :root { color-scheme: light; } nav, .pular { display: none; } section { break-inside: avoid; } }
`;
