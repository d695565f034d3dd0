import { put } from './api.js';
import { confirmed } from './confirm.js';
import { formatWhole } from './format.js';
import { html, say, sayFailure } from './html.js';
import { Component, createRef } from './preact.js';

/** @import { Change, FormShown, LiveKey, SettingReport, SettingsReport } from './types.d.ts' */

/**
 * The operator's name for each setting, and its unit.
 * @type {Readonly<Record<LiveKey, readonly [name: string, unit: string]>>}
 */
export const NOMES = {
  threads: ['threads', ''],
  queue_max: ['fila, no máximo', 'pedidos'],
  result_cache_mb: ['cache de resultados, no máximo', 'MB'],
  relevance_ms: ['janela de relevância', 'ms'],
  recency_ms: ['janela de recentes', 'ms'],
  count_ms: ['janela da contagem', 'ms'],
  record_ms: ['janela do registro', 'ms'],
  expensive_at_once: ['buscas caras ao mesmo tempo (0: um núcleo a menos)', ''],
};
const ORIGENS = { 'config.toml': 'config.toml', ambiente: 'variável' };

/**
 * The settings of one base, or of the service, each with its own field.
 * @extends {Component<FormShown, { edited: Partial<Record<LiveKey, string>> }>}
 */
export class SettingsForm extends Component {
  /**
   * What stands in each field that is being edited: it keeps its text whatever the service sends.
   * @type {{ edited: Partial<Record<LiveKey, string>> }}
   */
  state = { edited: {} };
  #answer = createRef();
  /** @type {Set<LiveKey>} */
  #busy = new Set();
  /** The change that the answer reports; null when it reports none. @type {Pick<Change, 'chave' | 'para'> | null} */
  #reported = null;

  get #own() {
    return this.props.settings?.ajustes[this.props.base];
  }

  componentDidUpdate() {
    // The reported change is no longer in force: somebody has undone it, here or on another page.
    const reported = this.#reported;
    if (reported !== null && this.#own?.[reported.chave]?.valor !== reported.para) this.#say('');
  }

  render() {
    const { isLarge, settings } = this.props;
    const own = this.#own;
    return html`
      <details class="ajustes" open=${isLarge}>
        <summary>Ajustes <span class="fraco">${own && summaryOf(own)}</span></summary>
        <div class="lista-de-ajustes">
          ${own && settings?.limites.map((limit) => this.#row(limit, own[limit.chave]))}
        </div>
        <p class="resposta" role="status" ref=${this.#answer}></p>
      </details>`;
  }

  /** @param {SettingsReport['limites'][number]} limit @param {SettingReport | undefined} setting */
  #row({ chave, min, max }, setting) {
    // The limits are those of all settings.
    if (setting === undefined) return null;
    const [name, unit] = NOMES[chave];
    const id = `${this.props.base}-${chave}`;
    const edited = this.state.edited[chave];
    return html`
      <form key=${chave} class=${setting.origem === 'mudado_aqui' ? 'ajuste mudado' : 'ajuste'}
        onsubmit=${(/** @type {Event} */ event) => this.#submit(event, chave)}>
        <label for=${id}>${name}</label>
        <input id=${id} type="number" step="1" required min=${min} max=${max}
          title=${`de ${formatWhole(min)} a ${formatWhole(max)}`} aria-describedby=${`${id}-origem`}
          value=${edited ?? setting.valor}
          oninput=${(/** @type {Event & { target: HTMLInputElement }} */ { target }) => this.#edit(chave, target.value)} />
        <span class="unidade">${unit}</span>
        <button type="submit" disabled=${edited === undefined} aria-label=${`Aplicar ${name} de ${this.props.base}`}>
          Aplicar
        </button>
        <span class="origem" id=${`${id}-origem`}>${sourceText(setting)}</span>
      </form>`;
  }

  /**
   * @param {LiveKey} key
   * @param {string} text of a field; empty text that is no number too, which is reported at submission.
   */
  #edit(key, text) {
    const { [key]: _, ...edited } = this.state.edited;
    const isKnown = text === String(this.#own?.[key]?.valor);
    this.setState({ edited: isKnown ? edited : { ...edited, [key]: text } });
  }

  /** @param {Event} event @param {LiveKey} key */
  #submit(event, key) {
    event.preventDefault();
    const text = this.state.edited[key];
    if (text !== undefined && !this.#busy.has(key)) void this.#apply(key, Number(text));
  }

  /** @param {string} text @param {Pick<Change, 'chave' | 'para'> | null} reported */
  #say(text, reported = null) {
    say(this.#answer.current, text);
    this.#reported = reported;
  }

  /** @param {LiveKey} key @param {number} valor */
  async #apply(key, valor) {
    const { base, onChanged } = this.props;
    const [name, unit] = NOMES[key];
    const working = key === 'threads' ? 'Iniciando as threads, uma depois da outra…' : 'Aplicando…';
    const wanted = `${name} de ${base} em ${formatWhole(valor)}${unit === '' ? '' : ` ${unit}`}`;
    this.#busy.add(key);
    this.#say(working);
    try {
      /** @type {Change | null} */
      const change = await put(`ajustes/${base}/${key}`, { valor }, async (risk) => {
        this.#say('À espera da sua confirmação…');
        const isWanted = await confirmed(`${risk} Pôr ${wanted} mesmo assim?`, 'Mudar');
        if (isWanted) this.#say(working);
        return isWanted;
      });
      if (change === null) {
        this.#say('Nada mudou.');
        return;
      }
      const { de, para } = change;
      await onChanged();
      this.#edit(key, String(para));
      this.#say(`${name}: de ${formatWhole(de)} para ${formatWhole(para)}, em vigor.`, { chave: key, para });
    } catch (error) {
      sayFailure(this.#answer.current, error);
    } finally {
      this.#busy.delete(key);
    }
  }
}

/** @param {Readonly<Record<string, SettingReport>>} own */
function summaryOf({ threads, queue_max, expensive_at_once }) {
  return expensive_at_once
    ? `do serviço: buscas caras ao mesmo tempo, ${expensive_at_once.valor}`
    : `${threads?.valor} threads, fila ${formatWhole(queue_max?.valor)}`;
}

/** @param {SettingReport} setting */
function sourceText({ origem, nome, valor, ao_reiniciar, variavel }) {
  const isChanged = origem === 'mudado_aqui';
  if (isChanged && ao_reiniciar === null) return 'mudado aqui; config.toml não pode ser lido';
  const known = isChanged ? 'mudado aqui' : origem === 'padrao' ? 'padrão' : `${ORIGENS[origem]}: ${nome}`;
  if (ao_reiniciar === null || ao_reiniciar === valor) return known;
  // Without a change here, the file was edited since the start.
  const verb = isChanged ? 'volta' : 'passa';
  const why = variavel === null ? '' : ` (${variavel})`;
  return `${known}; ao reiniciar ${verb} a ${formatWhole(ao_reiniciar)}${why}`;
}
