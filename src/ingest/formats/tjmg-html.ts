import { oneLine, personName, prose } from '../normalise.ts';
import { missing, type Formato, type Mapped } from './format.ts';
import { readPages, type PageShape } from './html-cards.ts';
import { elementsIn, hasClass, textUnder, type ChildNode } from './html-nodes.ts';
import { ementaOfTjmg, statusOfTjmg, withoutTitle } from './tjmg.ts';

/** Pages of results of the TJMG's older search ("espelhos de acórdãos"). */
export const tjmgHtml: Formato = {
  name: 'tjmg-html',
  about: 'pages of results of the TJMG’s older search',
  bases: ['tjmg'],
  recognises: (start) =>
    Number(/^\s*</u.test(start) && /TJMG - Pesquisa por Jurisprud|class="caixa_processo"/u.test(start)),
  read: (source) => readPages(source, PAGE, toRegistro),
};

const PAGE: PageShape = {
  beginsCard: (name, attributes) => name === 'div' && attributes['class'] === 'caixa_processo',
  isOneElement: false,
  saysNothingFound: /nenhum (?:espelho|registro|resultado|ac[óo]rd[ãa]o|ac&oacute;rd&atilde;o)/iu,
};

function toRegistro(nodes: readonly ChildNode[]): Mapped {
  const [box] = elementsIn(nodes, (element) => hasClass(element, 'caixa_processo'));
  const head = oneLine(textUnder(box === undefined ? [] : [box])) ?? '';
  const numero = TJMG_NUMBER.exec(head)?.[0] ?? null;
  const processo = CNJ_NUMBER.exec(head)?.[0] ?? null;
  if (numero === null) return { reject: missing('TJMG number') };
  const ementa = ementaOfTjmg(prose(collapsed(valueOf(nodes, /^Ementa:/u))));
  return {
    registro: {
      // Acórdãos in the same case differ by the suffix after the CNJ number: (1), (2), …
      chave: [numero, /\(\d+\)$/u.exec(processo ?? '')?.[0]].filter(Boolean).join(' '),
      fonte: 'TJMG',
      tipo: 'acordao',
      processo: processo ?? numero,
      classe: { descricao: oneLine(CLASSE.exec(head)?.[1]) },
      relator: withoutTitle(personName(valueOf(nodes, /^Relator\(a\):/u))),
      data_julgamento: { name: 'data_julgamento', value: oneLine(valueOf(nodes, /^Data de Julgamento:/u)) },
      data_publicacao: { name: 'data_publicacao', value: oneLine(valueOf(nodes, /^Data da publica/u)) },
      ementa,
      ementa_status: statusOfTjmg(ementa),
      extras: { numero_tjmg: numero },
    },
  };
}

/** The bound prevents quadratic time on a page with many `Processo:`. No class has so long a name. */
const CLASSE = /Processo:\s*(.{0,300}?)\s*(?=\d\.\d{4}\.)/u;
const LABEL_LENGTH_MAX = 200;
const TJMG_NUMBER = /\b\d\.\d{4}\.\d{2}\.\d{6}-\d\/\d{3}\b/u;
const CNJ_NUMBER = /\b\d{7}-\d{2}\.\d{4}\.\d\.\d{2}\.\d{4}(?: \(\d+\))?/u;

/** The text after a bold label, in the same element. */
function valueOf(nodes: readonly ChildNode[], label: RegExp): string | null {
  const [bold] = elementsIn(
    nodes,
    (element) =>
      element.name === 'strong' && label.test(textUnder(element.children, LABEL_LENGTH_MAX).trim()),
  );
  const holder = bold?.parent;
  if (bold === undefined || holder === null || holder === undefined) return null;
  const after = holder.children.slice(holder.children.indexOf(bold) + 1);
  return textUnder(after);
}

/** HTML treats line breaks of the source as spaces; only `<br>` breaks a line. */
function collapsed(text: string | null): string | null {
  return text?.replaceAll(/[ \t\r\n]+/gu, ' ') ?? null;
}
