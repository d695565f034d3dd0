import { styleText } from 'node:util';
import type { Cobertura, Checked, Documento, Pagina, Resumo, Veredito } from '../../client/client.ts';
import { foldedText } from '../../client/reading.ts';
import { TRECHO_CUT_MIN } from '../../contract/vocabulary.ts';
import { visible, visibleLines } from '../../process/visible.ts';

const WIDTH_MAX = 100;
const INDENT = 4;
const OPERATORS = new Set(['AND', 'OR', 'NOT', 'NEAR']);

export type Highlight = (text: string) => string;

/** A search result, numbered as in the list. */
export function itemText(item: Resumo, number: number, highlight: Highlight): string {
  const head = `${String(number).padStart(INDENT - 1)} ${styleText('bold', item.id)}  ${clean(item.processo ?? '')}`;
  return [head.trimEnd(), indented(whence(item)), indented(highlight(clean(excerptOf(item))))].join('\n');
}

/** With `…` where it may go on: the search does not tell a cut ementa from a whole one of that length. */
function excerptOf({ trecho_da_ementa: excerpt, ementa_status }: Resumo): string {
  if (excerpt === null) return `(ementa ${ementa_status})`;
  return excerpt.length < TRECHO_CUT_MIN || /(?:…|\.{3})$/u.test(excerpt) ? excerpt : `${excerpt}…`;
}

/** A line for standard error, as wide as the terminal; what does not fit goes on below, indented. */
export function noteText(line: string): string {
  const [lead = ''] = /^ */u.exec(line) ?? [];
  const next = lead + ' '.repeat(INDENT);
  const width = Math.min(process.stderr.columns ?? 80, WIDTH_MAX) - next.length;
  const text = Bun.wrapAnsi(visible(line.trimStart()), width, { hard: true });
  return `${lead}${text.replaceAll('\n', `\n${next}`)}\n`;
}

export function countsText({ por_base }: Pagina): string {
  const counted = por_base.map(({ base, encontrados_ate_1000: count, ha_mais_de_1000: more }) => {
    if (count === undefined) return `${base} ?`;
    return `${base} ${more === true ? `mais de ${count}` : count}`;
  });
  return wrapped(counted.join(' · '));
}

export function recordText(record: Documento, highlight: Highlight): string {
  const { id, processo, citacao, legislacao_citada, temas, inteiro_teor } = record;
  const parts: [string, string | null][] = [
    ['Ementa', record.ementa ?? `(${record.ementa_status})`],
    ['Tese', record.tese],
    ['Dispositivo', record.dispositivo],
    ['Redator', record.redator],
    ['Citação da origem', citacao],
    ['Legislação citada', legislacao_citada?.join('\n') ?? null],
    ['Temas', temas?.join('\n') ?? null],
    ['Inteiro teor', inteiro_teor.existe_na_origem === true ? 'existe na origem; não é servido aqui' : null],
  ];
  return [
    `${styleText('bold', id)}  ${clean(processo ?? '')}`.trimEnd(),
    wrapped(whence(record)),
    ...parts.flatMap(([title, text]) =>
      text === null ? [] : ['', styleText('bold', title), wrapped(highlight(clean(text)))],
    ),
  ].join('\n');
}

export function coverageText({ bases }: Cobertura): string {
  return bases
    .map(({ base, total, periodo_do_julgamento: period, tipos = [] }) => {
      const head = `${styleText('bold', base.padEnd(6))} ${(total?.toLocaleString('pt-BR') ?? 'ainda sem total').padStart(12)}`;
      const dates = `  julgadas de ${period?.de ?? '?'} a ${period?.ate ?? '?'}`;
      return `${head}${total === undefined ? '' : dates}\n${indented(tipos.join(', '))}`.trimEnd();
    })
    .join('\n');
}

const COLOURS: Partial<Record<Veredito, 'green' | 'red'>> = { confere: 'green', diverge: 'red' };
const RECORDS_SHOWN_MAX = 3;

/** A citation's verdict, as written and as stored. */
export function citedText({ texto, veredito, avisos, itens }: Checked): string {
  const word = veredito.padEnd(VERDICT_WIDTH);
  const colour = COLOURS[veredito] ?? 'yellow';
  const more = itens.length - RECORDS_SHOWN_MAX;
  return [
    wrapped(`${styleText(colour, word)} ${clean(texto.replaceAll('\n', ' '))}`),
    ...avisos.map((line) => indented(clean(line))),
    ...itens
      .slice(0, RECORDS_SHOWN_MAX)
      .map((item) => indented(`${item.id} · ${clean(item.processo ?? '')} · ${whence(item)}`)),
    ...(more > 0 ? [indented(`e mais ${more}`)] : []),
  ].join('\n');
}
const VERDICT_WIDTH = 'não está nesta base'.length;

/** Matches words as the service does: without case and accents; `*` matches a prefix. */
export function highlighter(q: string): Highlight {
  const words = [...q.matchAll(/([\p{L}\p{N}]+)(\*?)/gu)].filter(([, word = '']) => !OPERATORS.has(word));
  const whole = new Set(words.filter(([, , star]) => star === '').map(([, word = '']) => foldedText(word)));
  const starts = words.filter(([, , star]) => star === '*').map(([, word = '']) => foldedText(word));
  return (text) =>
    text.replaceAll(/[\p{L}\p{N}\p{M}]+/gu, (word) => {
      const bare = foldedText(word);
      const isHit = whole.has(bare) || starts.some((start) => bare.startsWith(start));
      return isHit ? styleText(['bold', 'yellow'], word) : word;
    });
}

function whence(item: Omit<Resumo, 'trecho_da_ementa'>): string {
  const { fonte, tipo, orgao_julgador, relator, data_julgamento, data_publicacao } = item;
  const dates = [
    data_julgamento === null ? null : `julgada em ${data_julgamento}`,
    data_publicacao === null ? null : `publicada em ${data_publicacao}`,
  ];
  const parts = [fonte, tipo, orgao_julgador, relator, ...dates].filter((part) => part !== null);
  return clean(parts.join(' · '));
}

/** Escapes control characters in a source's text. */
function clean(text: string): string {
  return visibleLines(text.replaceAll(/[\t\r]/gu, ' '));
}

function wrapped(text: string, indent = 0): string {
  const width = Math.min(process.stdout.columns ?? 80, WIDTH_MAX) - indent;
  return Bun.wrapAnsi(text, width, { hard: true });
}

function indented(text: string): string {
  return wrapped(text, INDENT).replaceAll(/^(?=.)/gmu, ' '.repeat(INDENT));
}
