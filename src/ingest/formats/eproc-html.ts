import type { TipoDaBase } from '../../contract/catalog.ts';
import type { CodigoTribunal } from '../../contract/vocabulary.ts';
import { oneLine, personName, prose, withoutHeading } from '../normalise.ts';
import { withoutPersonal } from '../personal.ts';
import { textOrNull } from '../text.ts';
import { missing, type Formato, type Mapped } from './format.ts';
import { readPages, type PageShape } from './html-cards.ts';
import { elementsIn, hasClass, isTag, textUnder, type ChildNode, type Element } from './html-nodes.ts';

/** Pages of results of eproc's search, as the TNU and the TRF6 show them. */
export const eprocHtml: Formato = {
  name: 'eproc-html',
  about: 'pages of results of eproc: TNU, TRF6',
  bases: ['eproc'],
  recognises: (start) =>
    Number(
      /^\s*</u.test(start) &&
        (/eproc\s*-\s*Jurisprud/iu.test(start) || /class="[^"]*\bresultadoItem\b/u.test(start)),
    ),
  read: (source) => readPages(source, PAGE, toRegistro),
};

const PAGE: PageShape = {
  beginsCard: (_, attributes) => /\bresultadoItem\b/u.test(attributes['class'] ?? ''),
  isOneElement: true,
  saysNothingFound:
    /nenhum (?:documento|resultado|registro)|id="hdnTotalResultado"[^>]{0,200}value="0"|\b0 documentos? encontrados?/iu,
};

/** The type shown above a result. Other types do not belong to the base. */
const TIPOS: readonly (readonly [RegExp, TipoDaBase<'eproc'>])[] = [
  [/^ac[óo]rd[ãa]o/iu, 'acordao'],
  [/^decis[ãa]o monocr[áa]tica|^decis[ãa]o d[oa] presiden/iu, 'decisao_monocratica'],
  [/^s[úu]mula/iu, 'sumula'],
];

/** The suffix of the case number, by court. The turmas recursais of Minas Gerais belong to the TRF6. */
const TRIBUNAIS: Readonly<Record<string, CodigoTribunal>> = {
  TNU: 'tnu',
  TRF6: 'trf6',
  TRU6: 'trf6',
  MG: 'trf6',
};

function toRegistro(nodes: readonly ChildNode[]): Mapped {
  const chave = idOf(nodes);
  if (chave === null) return { reject: missing('id_jurisprudencia') };
  const rotulo = oneLine(firstText(nodes, (element) => hasClass(element, 'resValueTipoJurisprudencia')));
  const tipo = TIPOS.find(([pattern]) => pattern.test(rotulo ?? ''))?.[1];
  if (tipo === undefined) return { leftOut: `type ${rotulo ?? '(none)'}` };
  const labels = new Labels(nodes);
  const processo = labels.processo();
  const origem = /\/([A-Z0-9]+)$/u.exec(processo ?? '')?.[1] ?? '';
  const tribunal = TRIBUNAIS[origem];
  if (tribunal === undefined)
    return { leftOut: `origin ${origem === '' ? '(none)' : origem}, not a court of the base` };
  const ementa = withoutHeading(labels.text('EMENTA') ?? labels.text('ENUNCIADO'));
  const decisao = labels.text('DECISÃO');
  const relator = labels.relator(/^RELATORA?$/u);
  const redator = labels.relator(/^RELATORA? (?:PARA|P\/|D[OE]) ?O? ?AC[ÓO]RD/u);
  // Without an ementa, and in a monocrática, DECISÃO is the full text, which is searched but never served.
  const isFullText = ementa === null || tipo === 'decisao_monocratica';
  const texts = labels.texts();
  return {
    registro: {
      chave,
      tribunal,
      // The letters of a state are not a court.
      fonte: origem.length === 2 ? tribunal.toUpperCase() : origem,
      tipo,
      processo,
      classe: labels.classe(),
      orgao_julgador: labels.line('ÓRGÃO JULGADOR'),
      relator,
      redator: redator === relator ? null : redator,
      data_julgamento: { name: 'data_julgamento', value: labels.line('DATA DO JULGAMENTO') },
      data_publicacao: { name: 'data_publicacao', value: labels.line('DATA DA PUBLICAÇÃO') },
      ementa,
      ementa_status: ementa !== null && labels.isCut('EMENTA') ? 'truncada' : null,
      dispositivo: isFullText ? null : decisao,
      inteiro_teor: { existe_na_origem: hasFullText(nodes) ? true : null },
      citacao: citacaoOf(nodes),
      texto: isFullText && decisao !== null ? decisao : joined(texts.map((label) => labels.text(label))),
      extras: { id_jurisprudencia: chave, uf: labels.line('UF'), ...labels.unmapped() },
    },
    isTextoCut: labels.isCut('DECISÃO'),
    texts: isFullText && decisao !== null ? ['DECISÃO', ...texts] : texts,
  };
}

/** The labelled values of a result. */
class Labels {
  readonly #values = new Map<string, Element>();

  constructor(nodes: readonly ChildNode[]) {
    const labels = elementsIn(nodes, isLabel);
    const values = valuesBeside(labels);
    for (const label of labels) {
      const value = values.get(label);
      const name = oneLine(textUnder(label.children, LABEL_LENGTH_MAX));
      if (value !== undefined && name !== null) this.#values.set(name.toUpperCase(), value);
    }
  }

  text(label: string): string | null {
    const value = this.#values.get(label);
    if (value === undefined) return null;
    const text = prose(textUnder(value.children));
    return this.isCut(label) ? prose(text?.replace(/\s*Ler mais\W*$/iu, '')) : text;
  }

  line(label: string): string | null {
    return oneLine(this.text(label));
  }

  /** True if the page shows only the first 5,000 characters of the value. */
  isCut(label: string): boolean {
    const value = this.#values.get(label);
    return (
      value !== undefined &&
      hasClass(value, 'limitado') &&
      /Ler mais\W*$/iu.test(textUnder(value.children).trim())
    );
  }

  relator(label: RegExp): string | null {
    const name = [...this.#values.keys()].find((key) => label.test(key));
    return name === undefined ? null : personName(this.line(name));
  }

  processo(): string | null {
    return /^\S+/u.exec(this.line('PROCESSO') ?? '')?.[0] ?? null;
  }

  /** `SIGLA - descrição`, next to the number. */
  classe(): { sigla: string | null; descricao: string | null } {
    const value = this.#values.get('PROCESSO');
    const text = oneLine(firstText(value?.children ?? [], ({ name }) => name === 'span'));
    const [, sigla, descricao] = /^(\S+)\s+-\s+(.+)$/u.exec(text ?? '') ?? [];
    return { sigla: sigla ?? null, descricao: descricao ?? text };
  }

  /** The labels of full texts. */
  texts(): string[] {
    return [...this.#values.keys()].filter((label) => TEXT.test(label));
  }

  /** Values that no field uses, for `extras`. A value beside several labels goes under the first. */
  unmapped(): Record<string, unknown> {
    const others = new Map<Element, string>();
    for (const [label, value] of this.#values)
      if (!MAPPED.test(label) && !TEXT.test(label) && !others.has(value)) others.set(value, label);
    const texts = [...others].map(([value, label]) => [label, prose(textUnder(value.children))] as const);
    return Object.fromEntries(
      texts.flatMap(([label, text]) => (text === null ? [] : [[label, withoutPersonal(text)]])),
    );
  }
}

function isLabel(element: Element): boolean {
  return hasClass(element, 'resLabel');
}

/** The value after each label. Visits each parent's children once, so that the time stays linear. */
function valuesBeside(labels: readonly Element[]): Map<Element, Element> {
  const found = new Map<Element, Element>();
  for (const parent of new Set(labels.map((label) => label.parent))) {
    let first: Element | null = null;
    // A long value is on the page twice: truncated with a link, and whole but hidden.
    let whole: Element | null = null;
    for (const element of (parent?.children ?? []).filter(isTag).toReversed()) {
      const value = whole ?? first;
      if (value !== null && isLabel(element)) found.set(element, value);
      if (!hasClass(element, 'resValue')) continue;
      first = element;
      if (!hasClass(element, 'limitado')) whole = element;
    }
  }
  return found;
}

const TEXT = /^(?:VOTO.*|RELATÓRIO|SENTENÇA|INTEIRO TEOR)$/u;
const MAPPED = /^(?:PROCESSO|UF|ÓRGÃO JULGADOR|DATA D.*|RELATOR(?!I).*|DECISÃO|EMENTA|ENUNCIADO)$/u;
const LABEL_LENGTH_MAX = 200;

function joined(texts: readonly (string | null)[]): string | null {
  return textOrNull(texts.filter((text) => text !== null).join('\n'));
}

function firstText(nodes: readonly ChildNode[], test: (element: Element) => boolean): string | null {
  const [found] = elementsIn(nodes, test);
  return found === undefined ? null : textUnder(found.children);
}

function idOf(nodes: readonly ChildNode[]): string | null {
  const [card] = elementsIn(nodes, ({ attribs }) => /^resultado\d+$/u.test(attribs['id'] ?? ''));
  return card?.attribs['id']?.slice('resultado'.length) ?? null;
}

function hasFullText(nodes: readonly ChildNode[]): boolean {
  return (
    elementsIn(
      nodes,
      (element) => hasClass(element, 'inteiroTeor') && element.attribs['data-link'] !== undefined,
    ).length > 0
  );
}

/** The last parenthesis of the citation, `(TNU, PUIL …)`. The text before it repeats the decision. */
function citacaoOf(nodes: readonly ChildNode[]): string | null {
  const [link] = elementsIn(nodes, ({ attribs }) => attribs['data-citacao'] !== undefined);
  const tail = (link?.attribs['data-citacao'] ?? '').slice(-CITACAO_MAX);
  const found = /\((?:[^()]|\([^()]*\))*\)\s*$/u.exec(tail)?.[0];
  return oneLine(found)?.replaceAll(/ ([,;)])|(\() /gu, '$1$2') ?? null;
}

const CITACAO_MAX = 1_000;
