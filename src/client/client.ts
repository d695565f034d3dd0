import { checked, type Checked, type Veredito } from './check.ts';
import { JurisprudenciaError } from './error.ts';
import { pageOf, type Pagina } from './page.ts';
import { asQuestion, type Pergunta } from './question.ts';
import { allOf, anyOf, partsOf, together } from './suggestion.ts';
import type { TermoProximo } from './reading.ts';
import { Sender, type CallOptions, type ClientOptions } from './request.ts';
import type {
  BaseSemResposta,
  Busca,
  Cobertura,
  CodigoTribunal,
  Documento,
  Parametros,
  Ramo,
  Resumo,
  Uf,
} from './types.ts';

export type * from './types.ts';
export type { CallOptions, ClientOptions, Checked, Pagina, Pergunta, TermoProximo, Veredito };
export { asQuestion, JurisprudenciaError };

type Listed = 'tribunal' | 'uf' | 'ramo';
type OrUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

/** The parameters of a search. A list is an array or a text with commas. */
export type PedidoDeBusca = Pick<Parametros, 'q'> &
  OrUndefined<Omit<Parametros, 'q' | Listed>> & {
    readonly tribunal?: readonly CodigoTribunal[] | string | undefined;
    readonly uf?: readonly Uf[] | string | undefined;
    readonly ramo?: readonly Ramo[] | string | undefined;
  };

export interface ItemOptions extends CallOptions {
  /** Called for each page with missing bases. Without it such a page throws. */
  readonly semResposta?: (bases: readonly BaseSemResposta[]) => void;
}

const PREFIX = '/v1/jurisprudencia';
const SUGGESTING_RECORDS = 5;

/**
 * The service's three routes. Every method throws a `JurisprudenciaError`, which has the `codigo`, or an aborted
 * signal's reason.
 *
 * @example
 * const api = new Jurisprudencia({ url: 'http://127.0.0.1:3000', key });
 * const { itens, avisos } = await api.buscar({ q: 'dano moral', tribunal: ['stj', 'tst'] });
 */
export class Jurisprudencia {
  readonly #sender: Sender;
  /** Never waits or retries, for requests that nobody asked for. */
  readonly #atOnce: Sender;
  /** Waits for a rate limit, and never asks twice. */
  readonly #once: Sender;

  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
    this.#atOnce = new Sender({ ...options, retries: 0, waitMsMax: 0 });
    this.#once = new Sender({ ...options, retries: 0 });
  }

  /** One page. With `retries`, a page with missing bases is requested again; the most complete one is returned. */
  async buscar(pedido: PedidoDeBusca, options: CallOptions = {}): Promise<Pagina> {
    let best: Pagina | null = null;
    for (let tries = 0; ; tries += 1) {
      const page = await this.#page(pedido, options, this.#sender);
      if (best === null || missing(page) < missing(best)) best = page;
      if (best.completa || tries >= this.#sender.retries) return best;
    }
  }

  async #page(pedido: PedidoDeBusca, options: CallOptions, sender: Sender): Promise<Pagina> {
    const { body, headers } = await sender.get(`${PREFIX}/busca?${queryOf(pedido)}`, options);
    // The service validates its answers against these types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return pageOf(body as Busca, pedido, headers);
  }

  /**
   * If a search for several words found nothing: its page, with a search for most of the words that does, and the words
   * left out. Takes 8 units of quota at most: three searches and five records. Any other page as it is.
   */
  async comSugestao(pedido: PedidoDeBusca, pagina: Pagina, options: CallOptions = {}): Promise<Pagina> {
    const parts = partsOf(pagina);
    const isAbsent = (word: string) => pagina.termos_ausentes.includes(word);
    const present = parts.filter((part) => !part.split(/[" ]+/u).some(isAbsent));
    if (present.length === 0) return pagina;
    const search = async (q: string, limite: number) => {
      const asked = { ...pedido, q, ordem: 'relevancia', limite, cursor: undefined } as const;
      return (await this.#page(asked, options, this.#atOnce)).itens;
    };
    const finds = async (kept: readonly string[]) =>
      kept.length > 0 && kept.length < parts.length && (await search(allOf(kept), 1)).length > 0;
    try {
      let kept = present;
      if (!(await finds(kept))) {
        // By relevance, decisions with most of the words come first.
        const itens = await search(anyOf(present), SUGGESTING_RECORDS);
        const records = itens.map(({ id }) => this.#record(id, options, this.#atOnce));
        kept = together(parts, await Promise.all(records));
        if (!(await finds(kept))) return pagina;
      }
      const without = parts.filter((part) => !kept.includes(part)).join(', ');
      const sugestao = allOf(kept);
      const line = `sem ${without} esta busca acha: ${sugestao}`;
      return { ...pagina, sugestao, avisos: [...pagina.avisos, line] };
    } catch {
      // For instance, no quota is left: the page is returned without a suggestion.
      options.signal?.throwIfAborted();
      return pagina;
    }
  }

  /** All pages, in order. */
  async *paginas(pedido: PedidoDeBusca, options: CallOptions = {}): AsyncGenerator<Pagina, void, undefined> {
    let { cursor } = pedido;
    do {
      const page = await this.buscar({ ...pedido, cursor }, options);
      yield page;
      cursor = page.proximo_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** All items, in order. @throws at a page with missing bases, unless `semResposta` is set. */
  async *itens(pedido: PedidoDeBusca, options: ItemOptions = {}): AsyncGenerator<Resumo, void, undefined> {
    for await (const page of this.paginas(pedido, options)) {
      if (!page.completa) {
        if (options.semResposta === undefined) {
          throw new JurisprudenciaError(page.avisos.join('; '), { status: 200 });
        }
        options.semResposta(page.bases_sem_resposta);
      }
      yield* page.itens;
    }
  }

  /**
   * The citations of case law in a text, in order, each with a verdict. Costs at most two units of quota a citation. Only numbers
   * leave the machine, and siglas of classes with short ones.
   *
   * @example
   * for await (const { texto, veredito, avisos } of api.conferir(minuta)) console.log(veredito, texto, ...avisos);
   */
  conferir(texto: string, options: CallOptions = {}): AsyncGenerator<Checked, void, undefined> {
    const search = (pedido: PedidoDeBusca, given: CallOptions) =>
      this.#page({ ...pedido, ordem: 'recentes' }, given, this.#once);
    return checked(texto, { search, record: (id, given) => this.#record(id, given, this.#once) }, options);
  }

  /** @param id from a search. @throws DECISAO_NAO_ENCONTRADA. */
  async decisao(id: string, options: CallOptions = {}): Promise<Documento> {
    // Every id has a colon; a text without one may be a different route's path.
    if (!id.includes(':')) {
      const message = `não há decisão com o id ${id}; use o id como veio na busca`;
      throw new JurisprudenciaError(message, { status: null, codigo: 'DECISAO_NAO_ENCONTRADA' });
    }
    return this.#record(id, options, this.#sender);
  }

  async #record(id: string, options: CallOptions, sender: Sender): Promise<Documento> {
    const { body } = await sender.get(`${PREFIX}/${encodeURIComponent(id)}`, options);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return body as Documento;
  }

  /** Needs no key. */
  async cobertura(options: CallOptions = {}): Promise<Cobertura> {
    const { body } = await this.#sender.get(`${PREFIX}/cobertura`, options, true);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return body as Cobertura;
  }
}

function missing({ bases_sem_resposta }: Pagina): number {
  return bases_sem_resposta.length;
}

function queryOf(pedido: PedidoDeBusca): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(pedido)) {
    // `String` joins an array with commas, as the contract requires.
    if (value !== undefined) query.set(name, String(value));
  }
  return query.toString();
}
