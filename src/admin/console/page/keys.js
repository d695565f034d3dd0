import { get, post } from './api.js';
import { confirmed } from './confirm.js';
import { formatElapsed, formatMoment, formatNumber, formatPercent, formatWhole } from './format.js';
import { byId, html, say, sayFailure, setText, show } from './html.js';
import { table } from './table.js';

/** @import { Column, Key } from './types.d.ts' */

/** Lists keys with what each asks for now, issues one, revokes one. */
export class Keys {
  #onLoad;
  /**
   * Issued on this page and not hidden yet, the latest first. They are stored nowhere else.
   * @type {{ nome: string, chave: string, note: string }[]}
   */
  #issued = [];
  /** @type {readonly Column<Key>[]} */
  #columns = [
    ['nome', 'nome', ({ nome }) => nome],
    ['agora, por s', 'numero', ({ por_s }) => formatNumber(por_s)],
    [
      'recusadas, por s',
      ({ recusas_por_s }) => (recusas_por_s > 0 ? 'numero erro' : 'numero'),
      ({ recusas_por_s }) => formatNumber(recusas_por_s),
    ],
    ['espera, ms', 'numero', ({ espera_ms }) => formatNumber(espera_ms)],
    [
      'restam hoje',
      ({ restam }) => (restam === 0 ? 'numero erro' : 'numero'),
      ({ restam }) => formatWhole(restam),
    ],
    [
      'da cota',
      'numero',
      ({ cota, cota_propria }) =>
        html`${formatWhole(cota)}<span class="fraco">${cota_propria ? ' própria' : ' do serviço'}</span>`,
    ],
    ['usada', 'uso', useOf],
    ['emitida', '', ({ emitida_em }) => formatMoment(emitida_em)],
    ['', 'acao', (key) => this.#action(key)],
  ];

  /** @param {(keys: readonly Key[]) => void} onLoad called with the keys whenever they were loaded. */
  constructor(onLoad) {
    this.#onLoad = onLoad;
    const form = byId('chave-form', HTMLFormElement);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#issue(form);
    });
  }

  async load() {
    const { chaves, danificadas } = await get('chaves');
    this.#onLoad(chaves);
    const [first] = chaves;
    const renewal = first && formatElapsed(first.renova_em_s);
    setText(
      byId('chaves-nota'),
      renewal === undefined ? '' : `A cota começa de novo em ${renewal}, à meia-noite UTC.`,
    );
    const options = {
      keyOf: (/** @type {Key} */ { nome, emitida_em }) => `${nome} ${emitida_em}`,
      classOf: (/** @type {Key} */ { revogada_em }) => (revogada_em === null ? '' : 'revogada'),
      none: 'Nenhuma chave foi emitida.',
    };
    show('chaves-tabela', table(this.#columns, chaves.toSorted(byRate), options));
    if (danificadas.length > 0) {
      say(
        byId('chave-aviso'),
        `Arquivos de chave danificados, que não dão acesso: ${danificadas.join(', ')}. Emita de novo as chaves deles.`,
        true,
      );
    }
  }

  /** @param {Key} key */
  #action({ nome, revogada_em }) {
    if (revogada_em !== null) return `revogada em ${formatMoment(revogada_em)}`;
    return html`
      <button type="button" class="discreto perigo" aria-label=${`Revogar a chave ${nome}`}
        onclick=${() => void this.#revoke(nome)}>Revogar</button>`;
  }

  /** @param {HTMLFormElement} form */
  async #issue(form) {
    const data = new FormData(form);
    const quota = data.get('cota');
    await this.#change(async () => {
      /** @type {{ nome: string, chave: string }} */
      const { nome, chave } = await post('chaves', {
        nome: data.get('nome'),
        cota: quota === '' ? null : Number(quota),
      });
      form.reset();
      this.#issued.unshift({ nome, chave, note: '' });
      this.#showIssued();
      byId('chave-nova').querySelector('div')?.focus();
      return '';
    });
  }

  /** @param {string} nome */
  async #revoke(nome) {
    const question = `Revogar a chave ${nome}? Quem a usa passa a receber 401 em até um segundo. Não há volta: seria preciso emitir outra.`;
    if (!(await confirmed(question, 'Revogar'))) return;
    await this.#change(async () => {
      await post(`chaves/${encodeURIComponent(nome)}/revogar`);
      return `A chave ${nome} foi revogada.`;
    });
  }

  /** @param {() => Promise<string>} change to what is to be said of it. */
  async #change(change) {
    const place = byId('chave-aviso');
    try {
      say(place, await change());
      await this.load();
    } catch (error) {
      sayFailure(place, error);
    }
  }

  /** Each key until the operator hides it. */
  #showIssued() {
    show(
      'chave-nova',
      this.#issued.map(
        (one) => html`
          <div key=${one.chave} class="chave-nova" tabindex="-1">
            <p>Chave de ${one.nome}. Ela aparece só desta vez: copie-a agora.</p>
            <code id=${`chave-${one.nome}`} tabindex="0" aria-label=${`Chave ${one.nome}`}>${one.chave}</code>
            <div class="botoes">
              <button type="button" onclick=${() => void this.#copy(one)}>Copiar</button>
              <button type="button" class="discreto" onclick=${() => this.#hide(one)}>Já guardei, esconder</button>
              <span role="status">${one.note}</span>
            </div>
          </div>`,
      ),
    );
  }

  /** @param {{ nome: string, chave: string, note: string }} one */
  async #copy(one) {
    try {
      await navigator.clipboard.writeText(one.chave);
      one.note = 'Copiada.';
    } catch {
      // Browsers allow the clipboard only on this machine or under https.
      getSelection()?.selectAllChildren(byId(`chave-${one.nome}`));
      one.note = 'O navegador não deixa copiar; a chave está selecionada: use Ctrl+C.';
    }
    this.#showIssued();
  }

  /** @param {object} one */
  #hide(one) {
    this.#issued = this.#issued.filter((other) => other !== one);
    this.#showIssued();
    byId('chave-form').querySelector('input')?.focus();
  }
}

/** Who asks most comes first, and revoked keys last. @param {Key} a @param {Key} b */
function byRate(a, b) {
  const revoked = Number(a.revogada_em !== null) - Number(b.revogada_em !== null);
  return revoked || b.por_s - a.por_s || a.nome.localeCompare(b.nome);
}

/** @param {Key} key */
function useOf({ usadas_hoje, cota, nome }) {
  const part = usadas_hoje / cota;
  return html`
    <meter min="0" max="1" high="0.9" value=${part} aria-label=${`Cota usada de ${nome}`} />
    ${` ${formatPercent(part)}`}`;
}
